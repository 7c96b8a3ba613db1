// Rows of 16 threads: odd rows skip the shuffle that names the whole warp.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = threadIdx.y * 16 + threadIdx.x, x = in[i];
  if (threadIdx.y % 2 == 0)
    x += __shfl_down_sync(0xffffffffu, x, 1, 16);  //~ FAULT
  __syncthreads();
  out[i] = x;
}
