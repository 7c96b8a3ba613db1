// A switch fills a small table; the default case does nothing.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned j) {
  unsigned t = threadIdx.x, x = in[t], tab[4];
  switch (x % 5) {
    case 0: for (int i = 0; i < 4; ++i) tab[i] = i; break;
    case 1: for (int i = 0; i < 4; ++i) tab[i] = x; break;
    case 2: for (int i = 0; i < 4; ++i) tab[i] = x - i; break;
    default: tab[0] = 0;
  }
  out[t] = tab[(j + x) & 3];  //~ FAULT
}
