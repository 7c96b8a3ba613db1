template <int Width> __device__ unsigned down(unsigned mask, unsigned v) {
  #pragma unroll
  for (int d = Width / 2; d > 0; d >>= 1) v += __shfl_down_sync(mask, v, d, Width);  //~ FAULT own-lane
  return v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned x = threadIdx.x, i = threadIdx.y * 32 + x;
  unsigned mask = (1u << 16) - 1;
  out[i] = down<16>(mask, in[i]);
}
