// A float tree over rows of twenty.
template <class T> __device__ T tree(T v, unsigned m, int w) {
  for (int d = 2; d; d >>= 1) v += __shfl_down_sync(m, v, d, w);  //~ FAULT
  return v;
}
extern "C" __global__ void k(float *out, const float *in, int w) {
  unsigned t = threadIdx.x;
  unsigned m = __ballot_sync(t < 32 ? ~0u : 1u, 1);
  float v = in[t];
  if (t < 32) v = tree(v, m, w);
  out[t] = v;
}
