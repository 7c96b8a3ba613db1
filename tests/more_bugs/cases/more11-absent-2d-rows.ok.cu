extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = threadIdx.y * 16 + threadIdx.x, x = in[i];
  if (threadIdx.y % 2 == 0)
    x += __shfl_down_sync(0x0000ffffu, x, 1, 16);
  __syncthreads();
  out[i] = x;
}
