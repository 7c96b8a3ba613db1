extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  volatile unsigned *p = (volatile unsigned *)malloc(16);
  p[0] = in[t];
  out[t] = p[0] + p[1]; //~ FAULT uninit-global
  free((void *)p);
}
