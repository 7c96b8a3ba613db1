extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  volatile unsigned *p = (volatile unsigned *)malloc(32);
  if (!p) return;
  p[in[t] % 8] = 1;
  unsigned s = 0;
  for (int i = 0; i < 8; ++i) s += p[i];  //~ FAULT uninit-global
  out[t] = s;  //~ FAULT uninit-global
  free((void *)p);
}
