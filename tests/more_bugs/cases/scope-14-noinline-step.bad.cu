// The step keeps its generator's state in a register of the inline assembly.
__device__ __noinline__ unsigned step(unsigned seed, bool first) {
  unsigned r;
  asm volatile("{\n .reg .pred p;\n .reg .u32 state;\n setp.ne.u32 p, %2, 0;\n @p mov.u32 state, %1;\n"  //~ FAULT uninit-reg
               " mad.lo.u32 state, state, 1664525, 1013904223;\n mov.u32 %0, state;\n}"
               : "=r"(r) : "r"(seed), "r"((unsigned)first));  //~ FAULT uninit-reg
  return r;  //~ FAULT uninit-reg
}
extern "C" __global__ void k(unsigned *out) {
  unsigned t = threadIdx.y * 8 + threadIdx.x, x = 0;
  for (int i = 0; i < 3; ++i) x ^= step(t, i == 0);  //~ FAULT uninit-reg
  out[t] = x;  //~ FAULT uninit-reg
}
