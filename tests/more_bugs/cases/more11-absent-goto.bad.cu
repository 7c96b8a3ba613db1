// goto past the vote.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], m = __ballot_sync(t < 32 ? 0xffffffffu : 1u, 1), b = 0;
  if (x < 20) goto skip;
  b = __ballot_sync(m, x & 1);  //~ FAULT
skip:
  out[t] = b + __any_sync(m, x == 3);
}
