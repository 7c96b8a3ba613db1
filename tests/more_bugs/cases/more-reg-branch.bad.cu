extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x; .reg .pred p, q; setp.lt.u32 p, %1, 8; @p mov.u32 x, %2; setp.gt.u32 q, x, 5; mov.u32 %0, 1; @q bra L1; mov.u32 %0, 2; L1: }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
