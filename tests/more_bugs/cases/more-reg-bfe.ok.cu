extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x, y; .reg .pred p; shl.b32 x, %2, 4; bfi.b32 y, x, y, 8, 8; bfe.u32 %0, y, 8, 8; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
