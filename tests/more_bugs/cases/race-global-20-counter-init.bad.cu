extern "C" __global__ void k(unsigned *total, const unsigned *in) {
  unsigned v = in[blockIdx.x * 32 + threadIdx.x];
  if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0;  //~ FAULT race-global
  __syncthreads();
  atomicAdd(total, v);  //~ FAULT race-global
}
