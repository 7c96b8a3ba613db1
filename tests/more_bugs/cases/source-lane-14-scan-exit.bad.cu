__device__ unsigned suffix(unsigned v) {
  #pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    unsigned y = __shfl_down_sync(0xffffffffu, v, d);  //~ FAULT source-lane
    v += y;
  }
  return v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned t = threadIdx.x;
  if (t >= n) return;
  out[t] = suffix(in[t]);
}
