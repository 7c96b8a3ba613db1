extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], s = 0;
  unsigned trips = 3;
  for (int i = 0; i < 2; ++i) {
#pragma unroll 2
    for (unsigned j = 0; j < trips; ++j)
      s += __popc(__match_any_sync(0xffffffffu, (x >> j) & 3));
    __syncwarp();
  }
  out[t] = s;
}
