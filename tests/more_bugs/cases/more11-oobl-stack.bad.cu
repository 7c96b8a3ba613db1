// A stack of 16 levels, pushed up to forty times.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, st[16], n = 0, s = 0;
  for (unsigned i = 0; i < in[t]; ++i) {
    st[n++] = i * t;  //~ FAULT
  }
  while (n) s += st[--n];  //~ FAULT
  out[t] = s;
}
