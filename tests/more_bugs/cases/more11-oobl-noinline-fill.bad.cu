// A helper fills one element too many.
__device__ __noinline__ void fill(unsigned *a, unsigned n, unsigned v) { for (unsigned i = 0; i < n; ++i) a[i] = v + i; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned a[8], t = threadIdx.x;
  fill(a, n, in[t]);
  out[t] = a[in[t] % 8];
}
