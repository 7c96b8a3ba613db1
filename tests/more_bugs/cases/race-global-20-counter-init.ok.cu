extern "C" __global__ void k(unsigned *total, const unsigned *in) {
  unsigned v = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x == 0) total[blockIdx.x] = 0;
  __syncthreads();
  atomicAdd(&total[blockIdx.x], v);
}
