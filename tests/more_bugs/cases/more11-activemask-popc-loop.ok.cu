extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  for (unsigned i = 0; i < x % 6; ++i) {
    unsigned n = i;
    r = r * 31 + n;
  }
  out[t] = r;
}
