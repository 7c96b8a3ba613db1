extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned idx[32];
  if (threadIdx.x > 3) idx[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[idx[threadIdx.x] % 32] = 1;  //~ FAULT uninit-shared
}
