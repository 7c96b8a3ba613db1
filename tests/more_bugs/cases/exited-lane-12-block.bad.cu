__device__ unsigned left(unsigned v) { return __shfl_down_sync(0xffffffffu, v, 1, 8); }  //~ FAULT source-lane
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned x = threadIdx.x, t = threadIdx.y * 8 + x;
  if (x >= n) return;
  out[t] = in[t] + left(in[t]);
}
