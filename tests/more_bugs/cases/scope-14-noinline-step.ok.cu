__device__ __noinline__ unsigned step(unsigned seed, bool first, unsigned state) {
  unsigned r;
  asm volatile("{\n .reg .pred p;\n .reg .u32 state;\n setp.ne.u32 p, %2, 0;\n @p mov.u32 state, %1;\n @!p mov.u32 state, %3;\n"
               " mad.lo.u32 state, state, 1664525, 1013904223;\n mov.u32 %0, state;\n}"
               : "=r"(r) : "r"(seed), "r"((unsigned)first), "r"(state));
  return r;
}
extern "C" __global__ void k(unsigned *out) {
  unsigned t = threadIdx.y * 8 + threadIdx.x, x = 0, state = 0;
  for (int i = 0; i < 3; ++i) x ^= state = step(t, i == 0, state);
  out[t] = x;
}
