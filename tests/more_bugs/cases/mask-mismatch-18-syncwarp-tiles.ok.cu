extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[4][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 16 + x];
  unsigned mask = y & 1 ? 0xffff0000u : 0x0000ffffu;
  __syncwarp(mask);
  out[y * 16 + x] = s[y][15 - x];
}
