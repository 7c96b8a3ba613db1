extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned sums[2];
  __shared__ unsigned line[64];
  unsigned t = threadIdx.x;
  line[t] = t;
  if (t < 2) sums[t] = t;
  __syncthreads();
  unsigned left = t ? line[t - 1] : 0;
  __syncthreads();
  out[t] = left + sums[t / 32];
}
