__device__ __noinline__ unsigned count_big(unsigned v) { return __popc(__ballot_sync(0xffffffffu, v > 20)); }
__device__ __noinline__ unsigned count_odd(unsigned v) { return __reduce_add_sync(0xffffffffu, v & 1); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r;
  unsigned a = count_big(v), b = count_odd(v);
  r = v < 25 ? a : b;
  out[t] = r;
}
