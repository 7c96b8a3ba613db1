__device__ bool is_leader(unsigned m) { return (threadIdx.x & 31) == __ffs(m) - 1; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned m = __ballot_sync(0xffffffffu, x & 1);
  if (x & 1) r = is_leader(m);
  out[t] = r;
}
