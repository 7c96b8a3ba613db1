extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .pred p; .reg .b32 x; setp.lt.u32 p, %1, 8; @p mov.u32 x, %2; match.any.sync.b32 %0, x, -1; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
