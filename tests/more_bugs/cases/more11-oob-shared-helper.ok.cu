__device__ __noinline__ void put(unsigned *a, unsigned i, unsigned v) { a[i] = v; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned a[32], b[64];
  unsigned t = threadIdx.x;
  if (t < 24) b[t + 40] = t;
  b[t] = 1;
  __syncthreads();
  if (t < 32) put(a, t, in[t]);
  __syncthreads();
  out[t] = a[t % 32] + b[63 - t];
}
