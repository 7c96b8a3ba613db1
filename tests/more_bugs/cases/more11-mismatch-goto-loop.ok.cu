extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], m = ~0u, n = 0;
again:
  unsigned left = __ballot_sync(m, x > 20);
  ++n;
  if (x > 20) {
    x -= 20;
    m = left;
    goto again;
  }
  out[t] = n;
}
