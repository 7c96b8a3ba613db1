extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, m[2][5], x = in[t];
  for (int i = 0; i < 2; ++i) for (int j = 0; j < 5; ++j) m[i][j] = x + i * j;
  out[t] = m[x % 2][x % 5];
}
