extern "C" __global__ void k(unsigned long long *out, const unsigned char *in) {
  unsigned t = threadIdx.x;
  const unsigned char *p = in + t * 4;
  unsigned long long v = *(const unsigned *)p;
  out[t] = v;
}
