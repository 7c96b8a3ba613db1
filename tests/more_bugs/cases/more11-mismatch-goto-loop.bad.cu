// The mask shrinks in each round, but only in lanes that look at it.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], m = ~0u, n = 0;
again:
  unsigned left = __ballot_sync(m, x > 20);  //~ FAULT
  ++n;
  if (x > 20) {
    x -= 20;
    if (t & 1) m = left;
    goto again;
  }
  out[t] = n;
}
