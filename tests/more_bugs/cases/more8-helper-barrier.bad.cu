// Only threads with work meet at the barrier in the helper; the tail of the last warp goes round it.
__device__ __noinline__ unsigned share(unsigned *s, unsigned t, unsigned v) {
  s[t] = v;
  __syncthreads();  //~ FAULT barrier-divergence
  return s[t ^ 1];
}
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, r = 0;
  if (t < n) r = share(s, t, in[t]);  //~ FAULT barrier-divergence
  __syncwarp();
  out[t] = r;
}
