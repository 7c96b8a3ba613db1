__device__ unsigned addr(const void *p) { return __cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned long long bar;
  unsigned t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(addr(&bar)) : "memory");
  __syncthreads();
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(addr(&bar)) : "memory");
  out[t] = in[t];
}
