extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][8][8];
  unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 8 + y) * 8 + x;
  s[z][y][x] = in[i];
  __syncthreads();
  unsigned v = s[z ^ 1][y][7 - x];
  __syncthreads();
  s[z][y][x] += v;
  out[i] = s[z][y][x];
}
