// A tile with a halo on one side only.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[4][4][5];
  unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 4 + y) * 4 + x;
  s[z][y][x] = in[i];
  if (x == 0) s[z][y][4] = 0;
  __syncthreads();
  unsigned d = 1;
  if (z == 3 && y == 3 && x == 3) d = 2;
  out[i] = s[z][y][x + d];  //~ FAULT
}
