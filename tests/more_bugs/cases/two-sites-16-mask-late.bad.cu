template <int N> __device__ unsigned votes(unsigned live, unsigned n) {
  unsigned acc = 0;
  #pragma unroll
  for (int i = 0; i < N; ++i) {
    if (i >= (int)n) return acc;
    acc += __popc(__ballot_sync(live, (n + i) & 1));  //~ FAULT absent-lane
  }
  return acc;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = in[t];
  unsigned r = votes<6>(0xffffffffu, n);
  __syncwarp();
  out[t] = r;
}
