extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b16 lo, hi, a, b; .reg .b32 x; cvt.u16.u32 lo, %2; mov.b32 x, {lo, hi}; mov.b32 {a, b}, x; cvt.u32.u16 %0, b; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
