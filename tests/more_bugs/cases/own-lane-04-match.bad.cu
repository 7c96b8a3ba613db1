__device__ __noinline__ unsigned peers(unsigned mask, unsigned key) {
  return __match_any_sync(mask, key);  //~ FAULT own-lane
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, key = in[lane];
  unsigned m = __ballot_sync(~0u, key > 1);
  out[lane] = peers(m, key);
}
