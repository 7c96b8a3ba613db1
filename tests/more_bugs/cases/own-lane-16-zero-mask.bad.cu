extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  unsigned none = __ballot_sync(0xffffffffu, v > 1000);
  out[t] = __any_sync(none, v & 1);  //~ FAULT own-lane
}
