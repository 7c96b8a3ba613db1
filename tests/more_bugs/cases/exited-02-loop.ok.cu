extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, n = in[lane], s = 0;
  #pragma unroll 1
  for (unsigned i = 0; ; ++i) {
    s += __popc(__ballot_sync(~0u, n > i));
    if (n == i) { out[lane] = s; return; }
  }
}
