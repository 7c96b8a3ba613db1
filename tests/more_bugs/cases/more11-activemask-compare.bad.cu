// A fast path if all lanes seem to be there.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  for (unsigned i = 0; i <= x % 4; ++i) {
    if (__activemask() == 0xffffffffu) r += 100;  //~ FAULT
    r += 1;
  }
  out[t] = r;
}
