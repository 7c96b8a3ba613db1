// 64-bit shuffles through a helper with a width of 24.
__device__ __noinline__ unsigned long long get(unsigned long long v, int src, int w) {
  return __shfl_sync(~0u, v, src, w);  //~ FAULT
}
extern "C" __global__ void k(unsigned long long *out, const unsigned long long *in, int w) {
  unsigned t = threadIdx.x;
  out[t] = get(in[t], t / 2, w);
}
