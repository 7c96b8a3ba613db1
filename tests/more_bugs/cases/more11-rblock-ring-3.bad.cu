// A ring of two tiles where three are needed: one barrier a round.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  const int N = 1;
  __shared__ unsigned s[N][96];
  unsigned t = threadIdx.x, acc = 0;
  for (int i = 0; i < 4; ++i) {
    s[i % N][t] = in[i * 96 + t];  //~ FAULT
    __syncthreads();
    acc += s[i % N][95 - t];  //~ FAULT
  }
  out[t] = acc;
}
