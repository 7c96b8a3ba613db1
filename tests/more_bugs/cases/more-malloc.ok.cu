extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned *p = (unsigned *)malloc(16);
  p[0] = in[t]; p[1] = t;
  out[t] = p[0] + p[1];
  free(p);
}
