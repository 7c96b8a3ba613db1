extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, s = 0;
  unsigned *p = (unsigned *)malloc(8);
  for (int i = 0; i < 2; ++i) {
    p[i] = in[t] + i;
    s += p[i];
  }
  free(p);
  out[t] = s;
}
