extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 8; @p setp.gt.u32 q, %2, 4; mov.u32 %0, 0; @q mov.u32 %0, 1; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
