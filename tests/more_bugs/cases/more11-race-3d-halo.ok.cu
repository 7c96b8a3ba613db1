extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[4][4][4];
  unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 4 + y) * 4 + x;
  s[z][y][x] = in[i];
  __syncthreads();
  for (int it = 0; it < 2; ++it) {
    unsigned up = s[(z + 2) % 4][y][x], mine = s[z][y][x];
    __syncthreads();
    s[z][y][x] = up + mine * 2;
    __syncthreads();
  }
  out[i] = s[z][y][x];
}
