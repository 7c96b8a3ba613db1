__device__ unsigned first_of_row(unsigned v, unsigned width) {
  return __shfl_sync(0xffffffffu, v, 0, width);  //~ FAULT absent-lane
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.y * blockDim.x + threadIdx.x, v = in[t];
  if (threadIdx.y & 1) v += first_of_row(v, 8);
  __syncthreads();
  out[t] = v;
}
