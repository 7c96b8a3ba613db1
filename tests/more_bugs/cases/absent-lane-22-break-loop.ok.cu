extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  #pragma unroll 4
  for (int i = 0; i < 8; ++i) {
    unsigned y = __shfl_down_sync(0xffffffffu, v, i);
    if (v >= (unsigned)i * 4) r += y;
    if (__all_sync(0xffffffffu, v < (unsigned)i * 4)) break;
  }
  __syncthreads();
  out[t] = r;
}
