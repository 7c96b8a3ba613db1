extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned a[4], n = 0, t = threadIdx.x;
  for (unsigned i = 0; i < 4; ++i) if (in[4 * (t & 7) + i] & 1) a[n++] = i;
  unsigned r = 0;
  for (unsigned i = 0; i < n; ++i) r = r * 5 + a[i];
  out[t] = r;
}
