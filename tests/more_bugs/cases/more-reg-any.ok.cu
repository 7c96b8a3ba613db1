extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .pred p, q, r; setp.lt.u32 p, %1, 8; @p setp.ge.u32 q, %2, 0; vote.sync.any.pred r, q, -1; selp.u32 %0, 1, 0, r; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
