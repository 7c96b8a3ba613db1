__device__ unsigned take(unsigned *n) {
  unsigned m = __activemask(), lane = threadIdx.x & 31, lead = __ffs(m) - 1, base = 0;  //~ FAULT activemask
  if (lane == lead) base = atomicAdd(n, __popc(m));
  base = __shfl_sync(m, base, lead);
  return __popc(m);
}
extern "C" __global__ void k(unsigned *out, unsigned *n, const unsigned *in) {
  unsigned t = blockIdx.x * 64 + threadIdx.x;
  if (in[t] & 1) out[t] = take(n);
}
