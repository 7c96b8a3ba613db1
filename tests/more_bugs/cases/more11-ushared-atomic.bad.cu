// Shared bins that nobody cleared: only the first eight of sixteen.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned h[16];
  unsigned t = threadIdx.x;
  if (t < 8) h[t] = 0;
  __syncthreads();
  atomicAdd(&h[in[t] % 16], 1);  //~ FAULT
  __syncthreads();
  if (t < 16) out[t] = h[t];  //~ FAULT
}
