extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x; .reg .pred p; setp.lt.u32 p, %1, 8; @p mov.u32 x, 7; and.b32 x, x, 0; add.u32 %0, x, %2; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
