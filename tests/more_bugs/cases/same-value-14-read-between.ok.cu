extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ int found;
  unsigned t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (in[t] % 16 == 1) found = 1;
  __syncthreads();
  out[t] = found;
}
