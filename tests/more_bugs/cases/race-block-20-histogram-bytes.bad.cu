extern "C" __global__ void k(unsigned char *out, const unsigned *in) {
  __shared__ unsigned char bin[16];
  unsigned t = threadIdx.x;
  if (t < 16) bin[t] = 0;
  __syncthreads();
  ++bin[in[t] % 16];  //~ FAULT race-block
  __syncthreads();
  if (t < 16) out[t] = bin[t];
}
