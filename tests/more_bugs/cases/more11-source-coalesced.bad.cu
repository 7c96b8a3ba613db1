// A lane number of the warp is used within a ballot group.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned m = __ballot_sync(~0u, x & 2);
  if (x & 2) {
    int leader = __ffs(~m) - 1;
    r = __shfl_sync(m, x, leader);  //~ FAULT
  }
  out[t] = r;
}
