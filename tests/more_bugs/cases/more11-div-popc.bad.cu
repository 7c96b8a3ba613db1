// A mean over the lanes of a ballot that may be none.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned n = __popc(__ballot_sync(~0u, x & 1));
  unsigned sum = __reduce_add_sync(~0u, x & 1 ? x : 0);
  out[t] = sum / n;  //~ FAULT
}
