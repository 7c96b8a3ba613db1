extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .pred p, q, r; .reg .b32 x; setp.lt.u32 p, %1, 8; @p mov.u32 x, %2; setp.gt.and.u32 r, x, 3, p; selp.u32 %0, 1, 0, r; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
