// A loop that ends when "all active lanes" are done.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], n = 0;
  while (true) {
    ++n;
    x = x > 3 ? x / 2 : 0;
    unsigned m = __activemask();  //~ FAULT
    if (__all_sync(m, x == 0)) break;  //~ FAULT
    if (n > 9) break;
    if (x & 1) n += 0 * t;
  }
  out[t] = n;
}
