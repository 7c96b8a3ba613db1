__device__ unsigned elect(unsigned mask) {
  unsigned r;
  asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(mask) : "memory");  //~ FAULT own-lane
  return r;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  if (elect(0x7fffffffu)) v += 100;
  out[t] = v;
}
