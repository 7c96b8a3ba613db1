extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[4][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 16 + x];
  unsigned mask = y & 1 ? 0xffff0000u : 0x0001ffffu;
  __syncwarp(mask);  //~ FAULT mask-mismatch
  out[y * 16 + x] = s[y][15 - x];
}
