// The value 32 has no bin; it is counted in the block's total.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned bins[32];
  __shared__ unsigned total;
  unsigned t = threadIdx.x;
  if (t < 32) bins[t] = 0;
  if (t == 0) total = 0;
  __syncthreads();
  atomicAdd(&bins[in[t] % 33], 1u);  //~ FAULT oob-shared
  atomicAdd(&total, 1u);
  __syncthreads();
  if (t < 32) out[t] = bins[t];
  if (t == 0) out[32] = total;
}
