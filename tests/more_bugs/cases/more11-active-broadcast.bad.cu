// Broadcast from lane 0 of "the active lanes" in a branch.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = x;
  unsigned all = __ballot_sync(~0u, x & 1);
  if (x & 1) {
    unsigned m = __activemask();  //~ FAULT
    r = __shfl_sync(m, x, __ffs(m) - 1);  //~ FAULT
  }
  out[t] = r;
}
