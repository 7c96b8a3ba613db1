__device__ __noinline__ void fill(unsigned *a, unsigned n) { for (unsigned i = 0; i < n; ++i) a[i] = i * 3; }
__device__ __noinline__ unsigned pick(const unsigned *a, unsigned i) { return a[i]; } //~ FAULT uninit-local
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned a[16];
  unsigned t = threadIdx.x;
  fill(a, in[t] % 8);
  out[t] = pick(a, t % 16); //~ FAULT uninit-local
}
