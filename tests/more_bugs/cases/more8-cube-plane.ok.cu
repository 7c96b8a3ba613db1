extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned cube[2][8][8];
  unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  unsigned t = (z * 8 + y) * 8 + x;
  cube[z][y][x] = in[t % 64] + z;
  __syncthreads();
  out[t] = cube[z][7 - y][x];
}
