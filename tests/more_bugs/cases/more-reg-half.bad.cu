extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b16 lo, hi; .reg .pred p; cvt.u16.u32 lo, %2; setp.lt.u32 p, %1, 8; @p mov.u16 hi, 3; mov.b32 %0, {lo, hi}; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
