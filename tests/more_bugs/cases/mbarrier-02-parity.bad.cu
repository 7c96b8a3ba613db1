#define ADDR(p) ((unsigned)__cvta_generic_to_shared(p))
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned long long bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, ok;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(ADDR(&bar)) : "memory");
  __syncthreads();
  s[t] = in[t];
  asm volatile("{ .reg .b64 q; mbarrier.arrive.shared.b64 q, [%0]; }" :: "r"(ADDR(&bar)) : "memory");
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(ADDR(&bar)) : "memory"); while (!ok);
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(ADDR(&bar)) : "memory"); while (!ok);  //~ FAULT mbarrier-phase
  out[t] = s[63 - t];
}
