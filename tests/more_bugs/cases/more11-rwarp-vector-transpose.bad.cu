// uint4 stores, words read across, in a template without a warp barrier.
template <int N> __device__ void turn(uint4 *s, uint4 v, unsigned lane) {
  s[lane] = v;  //~ FAULT
  if (N == 32) __syncwarp();
}
extern "C" __global__ void k(unsigned *out, const uint4 *in) {
  __shared__ uint4 s[32];
  unsigned t = threadIdx.x;
  turn<16>(s, in[t], t);
  const unsigned *w = (const unsigned *)s;
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = w[i * 32 + t];  //~ FAULT
}
