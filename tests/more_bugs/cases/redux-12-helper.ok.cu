template <class F> __device__ void for_valid(unsigned i, unsigned n, F f) { if (i < n) f(i); }
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned t = threadIdx.x, r = 0;
  unsigned m = __ballot_sync(0xffffffffu, t < n);
  for_valid(t, n, [&](unsigned i) { r = __reduce_max_sync(m, in[i]); });
  __syncthreads();
  out[t] = r;
}
