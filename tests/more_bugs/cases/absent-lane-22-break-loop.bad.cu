extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  #pragma unroll 4
  for (int i = 0; i < 8; ++i) {
    if (v < (unsigned)i * 4) break;
    r += __shfl_down_sync(0xffffffffu, v, i);  //~ FAULT absent-lane
  }
  __syncthreads();
  out[t] = r;
}
