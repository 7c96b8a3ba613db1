extern "C" __global__ void k(unsigned *out, const unsigned *in, const unsigned *from) {
  unsigned t = threadIdx.x, v = in[t];
  unsigned m = __ballot_sync(0xffffffffu, v % 2);
  if (v % 2) {
    unsigned y = __shfl_sync(m, v, from[t]);
    v = m >> from[t] & 1 ? y : 0;
  }
  __syncwarp();
  out[t] = v;
}
