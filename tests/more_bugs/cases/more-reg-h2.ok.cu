extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x, y; .reg .b16 l, h; cvt.u16.u32 l, %2; mov.b32 x, {l, h}; add.f16x2 y, x, x; and.b32 %0, y, 65535; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
