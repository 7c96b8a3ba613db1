extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned char found;
  unsigned t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (in[t] > 20) found = 1;
  __syncthreads();
  if (t == 0) out[0] = found;
}
