__device__ __noinline__ unsigned agg(unsigned *c) {
  unsigned m = __activemask(), l = threadIdx.x & 31, lead = __ffs(m) - 1, base = 0;
  if (l == lead) base = atomicAdd(c, __popc(m));
  base = __shfl_sync(m, base, lead);
  return base + __popc(m & ((1u << l) - 1));
}
extern "C" __global__ void k(unsigned *out, unsigned *c, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  if (in[i] & 1) out[agg(c)] = in[i];
}
