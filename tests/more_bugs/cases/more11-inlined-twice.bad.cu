// One helper, inlined at two places, of which one is in a branch.
template <class T> __device__ __forceinline__ T bcast(T v, unsigned m) { return __shfl_sync(m, v, 0); }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], m = __ballot_sync(t < 32 ? ~0u : 0xffffu, 1);
  unsigned a = bcast(x, m);
  if (x > a) x += bcast(a + 1, m);  //~ FAULT
  __syncwarp(m);
  out[t] = x + a;
}
