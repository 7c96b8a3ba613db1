extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  const int N = 2;
  __shared__ unsigned s[N][96];
  unsigned t = threadIdx.x, acc = 0;
  for (int i = 0; i < 4; ++i) {
    s[i % N][t] = in[i * 96 + t];
    __syncthreads();
    acc += s[i % N][95 - t];
  }
  out[t] = acc;
}
