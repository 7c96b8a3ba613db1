// Ten bins and a bin number up to twelve; the next array is hit.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned bins[10], other[64];
  unsigned t = threadIdx.x;
  if (t < 10) bins[t] = 0;
  other[t] = t;
  __syncthreads();
  atomicAdd(&bins[in[t] % 13], 1);  //~ FAULT
  __syncthreads();
  out[t] = other[t] + bins[t % 10];
}
