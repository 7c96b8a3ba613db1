// One slot for each group of active lanes, counted as one for the warp.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *n) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned all = __ballot_sync(~0u, x > 15);
  if (x > 15) {
    unsigned m = __activemask();  //~ FAULT
    if (t == __ffs(m) - 1) out[atomicAdd(n, 1)] = __popc(m);  //~ FAULT
  }
}
