// One ballot in two helpers that are not inlined: lanes meet.
__device__ __noinline__ unsigned even(bool p) { return __ballot_sync(~0u, p) * 2; }
__device__ __noinline__ unsigned odd(bool p) { return __ballot_sync(~0u, p) + 1; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  out[t] = t & 1 ? odd(in[t] > 9) : even(in[t] > 9);
}
