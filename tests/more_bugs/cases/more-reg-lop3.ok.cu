extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x; lop3.b32 x, x, %2, 0, 0xC0; and.b32 x, x, 0; add.u32 %0, x, %2; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
