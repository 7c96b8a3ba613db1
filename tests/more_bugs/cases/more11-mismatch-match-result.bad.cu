// Peers of two different keys are joined by one side only.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t] % 4;
  unsigned m = __match_any_sync(~0u, x);
  unsigned two = __ballot_sync(~0u, x < 2);
  if (x == 0) m = two;
  out[t] = __reduce_add_sync(m, t);  //~ FAULT
}
