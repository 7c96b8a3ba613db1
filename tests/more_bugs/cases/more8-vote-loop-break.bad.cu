// Lanes leave the loop when they have found their value; the vote still names all.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = 0;
  for (unsigned i = 0; i < 8; ++i) {
    unsigned v = in[(t + i) % 64];
    if (v < 8) break;
    if (__any_sync(0xffffffff, v > 50)) n += 2;  //~ FAULT absent-lane
    else n += 1;
  }
  out[t] = __reduce_add_sync(0xffffffff, n);  //~ FAULT absent-lane
}
