extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 8; @p setp.gt.u32 q, %2, 4; vote.sync.ballot.b32 %0, q, -1; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
