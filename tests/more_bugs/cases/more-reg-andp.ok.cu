extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .pred p, q, r; setp.lt.u32 p, %1, 8; @p setp.gt.u32 q, %2, 4; and.pred r, p, q; selp.u32 %0, 1, 0, r; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
