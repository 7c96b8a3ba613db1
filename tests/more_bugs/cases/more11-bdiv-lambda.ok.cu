template <class F> __device__ __noinline__ void work(unsigned n, F f) { for (unsigned i = 0; i < n; ++i) f(i); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned n = 2;
  work(n, [&](unsigned i) {
    s[t] = x + i;
    __syncthreads();
    r += s[t ^ 1];
    __syncthreads();
  });
  out[t] = r;
}
