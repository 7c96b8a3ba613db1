template <class T> __device__ T block_sum(T v, T *part) {
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < 8 ? part[threadIdx.x] : T(0);
  if (threadIdx.x < 32) for (int d = 4; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  return v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned part[8];
  part[threadIdx.x % 8] = 0;
  __syncthreads();
  unsigned v = block_sum(in[threadIdx.x], part);
  if (threadIdx.x == 0) out[0] = v;
}
