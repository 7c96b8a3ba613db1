extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b64 x, y; cvt.u64.u32 x, %1; cvt.u64.u32 y, %2; and.b64 y, y, 1; rem.u64 x, x, y; cvt.u32.u64 %0, x; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT div-zero
  out[t] = v; //~ FAULT div-zero
}
