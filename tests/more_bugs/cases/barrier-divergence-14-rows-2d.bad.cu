extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[8][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 16 + x];
  for (unsigned r = 0; r < y; ++r) __syncthreads();  //~ FAULT barrier-divergence
  out[y * 16 + x] = s[7 - y][x];
}
