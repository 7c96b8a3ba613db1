// A per-thread scratch from malloc is freed in the loop's first round.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, s = 0;
  unsigned *p = (unsigned *)malloc(8);
  for (int i = 0; i < 2; ++i) {
    p[i] = in[t] + i;  //~ FAULT
    s += p[i];  //~ FAULT
    free(p);
  }
  out[t] = s;
}
