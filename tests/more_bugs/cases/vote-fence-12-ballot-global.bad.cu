template <class T> __device__ bool all_done(T v) { return __all_sync(0xffffffffu, v >= 0); }
extern "C" __global__ void k(unsigned *out, unsigned *tmp, const unsigned *in) {
  unsigned t = threadIdx.x;
  tmp[t] = in[t];  //~ FAULT race-warp
  if (all_done(in[t])) out[t] = tmp[(t + 7) & 31];  //~ FAULT race-warp
}
