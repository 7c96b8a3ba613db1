extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, v = in[lane], r = 0;
  #pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    if (v == i) break;
    r += __popc(__ballot_sync(~0u, v > i));  //~ FAULT absent-lane
  }
  r += __shfl_sync(~0u, r, 0);
  out[lane] = r;
}
