extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned bin[4];
  unsigned t = threadIdx.x;
  if (t < 3) bin[t] = 0;
  __syncthreads();
  atomicAdd(&bin[in[t]], 1u);  //~ FAULT uninit-shared
  __syncthreads();
  if (t < 4) out[t] = bin[t];  //~ FAULT uninit-shared
}
