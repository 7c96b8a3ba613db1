template <class T> __device__ __forceinline__ T bcast(T v, unsigned m) { return __shfl_sync(m, v, 0); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], m = __ballot_sync(t < 32 ? ~0u : 0xffffu, 1);
  unsigned a = bcast(x, m);
  unsigned b = bcast(a + 1, m);
  if (x > a) x += b;
  __syncwarp(m);
  out[t] = x + a;
}
