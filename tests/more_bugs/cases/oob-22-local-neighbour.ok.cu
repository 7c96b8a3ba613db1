extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  volatile unsigned a[4], b[8];
  unsigned t = threadIdx.x;
  for (int i = 0; i < 8; ++i) { b[i] = i * t; if (i < 4) a[i] = i; }
  b[in[t] % 8] = 5;
  out[t] = a[in[t] % 4] + b[in[t] % 8];
}
