// A stencil in place over a 3-D block; one plane reads what another writes.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][8][8];
  unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 8 + y) * 8 + x;
  s[z][y][x] = in[i];
  __syncthreads();
  unsigned v = s[z ^ 1][y][7 - x];  //~ FAULT
  s[z][y][x] += v;  //~ FAULT
  out[i] = s[z][y][x];
}
