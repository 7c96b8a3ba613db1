__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned long long bar[4];
  unsigned t = threadIdx.x;
  unsigned n = 4;
  if (t < n) asm volatile("mbarrier.init.shared::cta.b64 [%0], 16;" :: "r"(at(bar + t)) : "memory");
  __syncthreads();
  unsigned b = at(bar + t / 16);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(b) : "memory");
  asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(b) : "memory");
  out[t] = in[t];
}
