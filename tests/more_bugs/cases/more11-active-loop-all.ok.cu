extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], n = 0;
  while (true) {
    ++n;
    x = x > 3 ? x / 2 : 0;
    unsigned m = ~0u;
    if (__all_sync(m, x == 0)) break;
    if (n > 9) break;
    if (x & 1) n += 0 * t;
  }
  out[t] = n;
}
