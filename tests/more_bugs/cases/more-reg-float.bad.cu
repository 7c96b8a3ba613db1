extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .f32 x; .reg .pred p; setp.lt.u32 p, %1, 8; @p cvt.rn.f32.u32 x, %2; fma.rn.f32 x, x, x, x; mov.b32 %0, x; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
