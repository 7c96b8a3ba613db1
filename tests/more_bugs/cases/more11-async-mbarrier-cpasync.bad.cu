// cp.async counted by an mbarrier; a thread reads its neighbour's part without a wait.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" :: "r"(at(&bar)) : "memory");
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%2];" :: "r"(at(s + t)), "l"(in + t), "r"(at(&bar)) : "memory");  //~ FAULT
  __syncthreads();
  out[t] = s[63 - t];  //~ FAULT
}
