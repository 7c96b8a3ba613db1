__device__ __noinline__ void fill(unsigned *a, unsigned n, unsigned v) { for (unsigned i = 0; i < n; ++i) a[i] = v + i; }
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned a[8], t = threadIdx.x;
  fill(a, n - 1, in[t]);
  out[t] = a[in[t] % 8];
}
