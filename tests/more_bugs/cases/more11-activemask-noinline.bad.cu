// A helper that sums over "the warp" with the active mask.
__device__ __noinline__ unsigned sum(unsigned x, unsigned m) {
  m = __activemask();  //~ FAULT
  return __reduce_add_sync(m, x);
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned m = __ballot_sync(~0u, x > 20);
  if (x > 20) x = sum(x, m);
  out[t] = x;
}
