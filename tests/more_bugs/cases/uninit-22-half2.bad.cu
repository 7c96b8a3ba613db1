extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v;
  asm volatile("{ .reg .b16 lo, hi; cvt.u16.u32 lo, %1; mov.b32 %0, {lo, hi}; }" : "=r"(v) : "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v >> 12;  //~ FAULT uninit-reg
}
