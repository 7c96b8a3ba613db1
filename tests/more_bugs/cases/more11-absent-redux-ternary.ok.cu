extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  unsigned m = __ballot_sync(t < 32 ? ~0u : 0xffu, true);
  int x = in[t];
  int a = __reduce_min_sync(m, x), b = __reduce_max_sync(m, x), lo = (x & 1) ? a : b;
  out[t] = lo;
}
