extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned char s[128];
  unsigned lane = threadIdx.x;
  s[lane * 4] = in[lane];
  s[lane * 4 + 1] = 3;
  unsigned w = ((volatile unsigned *)s)[lane];
  out[lane] = w & 0xffff;
}
