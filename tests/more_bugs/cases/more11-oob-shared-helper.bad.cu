// A helper that is not inlined writes past the first of two arrays.
__device__ __noinline__ void put(unsigned *a, unsigned i, unsigned v) { a[i] = v; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned a[32], b[64];
  unsigned t = threadIdx.x;
  if (t < 24) b[t + 40] = t;
  b[t] = 1;
  __syncthreads();
  put(a, t, in[t]);
  __syncthreads();
  out[t] = a[t % 32] + b[63 - t];
}
