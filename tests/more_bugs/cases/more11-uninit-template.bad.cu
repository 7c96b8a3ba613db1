// A template loads only full vectors of four; the rest of a row of 26 is not loaded.
template <int W> __device__ void load(unsigned *row, const unsigned *in, unsigned x) {
  if (x < W / 4) for (int i = 0; i < 4; ++i) row[x * 4 + i] = in[x * 4 + i];
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][26];
  unsigned x = threadIdx.x, y = threadIdx.y;
  load<26>(s[y], in + y * 22, x);
  __syncthreads();
  out[y * 24 + x] = s[y][x + 2];  //~ FAULT
}
