// A half-open condition in a ternary: a redux only where the value is odd.
extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  unsigned m = __ballot_sync(t < 32 ? ~0u : 0xffu, true);
  int x = in[t];
  int lo = (x & 1) ? __reduce_min_sync(m, x) : __reduce_max_sync(m, x);  //~ FAULT
  out[t] = lo;
}
