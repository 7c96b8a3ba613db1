extern "C" __global__ void k(unsigned *total, const unsigned *in) {
  if (threadIdx.x == 0) *total = 0;
  __syncthreads();
  atomicAdd(total, in[threadIdx.x]);
}
