extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned both;
  unsigned t = threadIdx.x;
  if (t == 0) both = 0;
  __syncthreads();
  atomicAdd(&both, in[t] & 1);
  __syncthreads();
  if (t == 64) ((unsigned short *)&both)[1] = 7;
  __syncthreads();
  if (t == 0) out[0] = both;
}
