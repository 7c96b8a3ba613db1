__device__ __noinline__ unsigned count_big(unsigned v) { return __popc(__ballot_sync(0xffffffffu, v > 20)); }  //~ FAULT absent-lane
__device__ __noinline__ unsigned count_odd(unsigned v) { return __reduce_add_sync(0xffffffffu, v & 1); }  //~ FAULT absent-lane
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r;
  if (v < 25) r = count_big(v); else r = count_odd(v);
  out[t] = r;
}
