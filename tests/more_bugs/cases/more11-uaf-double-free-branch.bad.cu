// Both branches and the end free the same block.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned *p = (unsigned *)malloc(16);
  p[0] = x;
  out[t] = p[0];
  if (x & 1) free(p);
  if (x % 3 == 1) free(p);  //~ FAULT
}
