template <int W> __device__ unsigned sum(unsigned mask, unsigned v) {
#pragma unroll
  for (int d = W / 2; d > 0; d >>= 1)
    v += __shfl_xor_sync(mask, v, d);  //~ FAULT mask-mismatch
  return v;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, v = in[lane];
  unsigned mask = ~0u;
  for (int i = 0; i < 3; ++i) {
    v = sum<8>(mask, v) & 0xffff;
    if (lane >= 16) mask = 0xffff0000u;
  }
  out[lane] = v;
}
