__device__ __noinline__ unsigned best(unsigned mask, unsigned v) {
  return __reduce_max_sync(mask, v);  //~ FAULT own-lane
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  unsigned even = __ballot_sync(t < 32 ? 0xffffffffu : 0xffffu, v % 2 == 0);
  out[t] = best(even, v);
}
