extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], m = __ballot_sync(t < 32 ? ~0u : 0xffu, 1), n = 0;
  while (__any_sync(m, x > 3)) {
    if (x > 3) {
      x /= 2;
    }
    n += __shfl_sync(m, x, __ffs(m) - 1);
  }
  out[t] = n;
}
