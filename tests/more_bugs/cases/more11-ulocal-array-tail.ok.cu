extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned t = threadIdx.x, a[8], s = 0;
  for (unsigned i = 0; i < n; ++i) a[i] = in[t] + i;
  for (unsigned i = 0; i < n; ++i) s += a[i];
  out[t] = s;
}
