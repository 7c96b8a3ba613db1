__device__ __noinline__ unsigned look(const unsigned char *tab, unsigned i) { return tab[i]; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned char tab[50];
  for (int i = 0; i < 50; ++i) tab[i] = i * 3;
  unsigned i = in[t] % 50;
  out[t] = look(tab, i);
}
