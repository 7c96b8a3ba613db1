extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x, y; shl.b32 x, x, 16; and.b32 y, %2, 65535; or.b32 x, x, y; shr.u32 %0, x, 12; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
