extern "C" __global__ void k(unsigned char *out, const unsigned *in) {
  __shared__ unsigned char bin[64];
  unsigned t = threadIdx.x;
  bin[t] = 0;
  __syncthreads();
  ++bin[63 - in[t]];
  __syncthreads();
  out[t] = bin[t];
}
