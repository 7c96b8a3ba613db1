// A lookup table on the stack indexed by a byte of the input.
__device__ __noinline__ unsigned look(const unsigned char *tab, unsigned i) { return tab[i]; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned char tab[50];
  for (int i = 0; i < 50; ++i) tab[i] = i * 3;
  unsigned i = in[t];
  out[t] = look(tab, i);
}
