extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b64 d; .reg .b32 h, l; .reg .pred p; setp.lt.u32 p, %1, 8; @p cvt.u64.u32 d, %2; add.u64 d, d, 1; mov.b64 {l, h}, d; mov.u32 %0, h; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
