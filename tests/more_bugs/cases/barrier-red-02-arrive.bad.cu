extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = 0;
  if (t < 32) asm volatile("bar.arrive 1, 64;" ::: "memory");  //~ FAULT barrier-mix
  else asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; bar.red.popc.u32 %0, 1, 64, q; }" : "=r"(n) : "r"(in[t] & 1) : "memory");  //~ FAULT barrier-mix
  out[t] = n;
}
