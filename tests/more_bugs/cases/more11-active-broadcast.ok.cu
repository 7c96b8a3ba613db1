extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = x;
  unsigned all = __ballot_sync(~0u, x & 1);
  if (x & 1) {
    unsigned m = all;
    r = __shfl_sync(m, x, __ffs(m) - 1);
  }
  out[t] = r;
}
