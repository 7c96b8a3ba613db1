// Private bins are cleared by the first warp; others count before it is done.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned h[16];
  unsigned t = threadIdx.x;
  if (t < 16) h[t] = 0;  //~ FAULT
  atomicAdd(&h[in[blockIdx.x * 128 + t] % 16], 1);  //~ FAULT
  __syncthreads();
  if (t < 16) out[blockIdx.x * 16 + t] = h[t];
}
