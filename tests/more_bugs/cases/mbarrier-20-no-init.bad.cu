__device__ unsigned addr(const void *p) { return __cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned long long bar;
  unsigned t = threadIdx.x;
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(addr(&bar)) : "memory");  //~ FAULT mbarrier-init
  out[t] = in[t];
}
