extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x, y; .reg .pred p, q; setp.lt.u32 p, %1, 8; setp.lt.u32 q, %1, 9; @p add.u32 x, %2, 5; selp.b32 %0, x, %2, q; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
