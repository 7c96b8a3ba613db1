extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  unsigned mask = 0xffu << (t / 8 * 8);
  out[t] = __ballot_sync(mask, v > 9);
}
