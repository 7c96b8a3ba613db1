__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" :: "r"(at(&bar)) : "memory");
  __syncthreads();
  unsigned n = 32;
  if (t % 32 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" :: "r"(at(&bar)), "r"(n) : "memory");
  asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(at(&bar)) : "memory");
  out[t] = in[t];
}
