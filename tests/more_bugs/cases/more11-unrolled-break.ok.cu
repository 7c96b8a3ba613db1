extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
#pragma unroll
  for (int d = 16; d; d /= 2) {
    unsigned y = __shfl_down_sync(~0u, x, d);
    x += y;
  }
  __syncwarp();
  out[t] = x;
}
