extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x; prmt.b32 x, x, %2, 0x7650; mov.b32 %0, x; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT uninit-reg
  out[t] = v; //~ FAULT uninit-reg
}
