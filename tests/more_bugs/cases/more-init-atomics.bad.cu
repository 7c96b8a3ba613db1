extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned h[16];
  unsigned t = threadIdx.x;
  if (t < 16) h[t] = 0; //~ FAULT race-block
  atomicAdd(&h[in[t] % 16], 1u); //~ FAULT race-block
  __syncthreads();
  if (t < 16) out[t] = h[t];
}
