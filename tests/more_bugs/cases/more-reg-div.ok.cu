extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .b32 x; max.u32 x, %2, 1; div.u32 %0, %1, x; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
