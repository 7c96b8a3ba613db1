extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = 0;
  bool more = true;
  for (unsigned i = 0; i < 8; ++i) {
    unsigned v = in[(t + i) % 64];
    if (v < 8) more = false;
    unsigned left = __ballot_sync(0xffffffff, more);
    if (!left) break;
    if (__any_sync(0xffffffff, more && v > 50) && more) n += 2;
    else if (more) n += 1;
  }
  out[t] = __reduce_add_sync(0xffffffff, n);
}
