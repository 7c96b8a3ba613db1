__device__ __noinline__ unsigned most(unsigned peers, unsigned x) {
  return __reduce_max_sync(peers, x);
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, i = threadIdx.y * 32 + t, x = in[i];
  unsigned peers = __match_any_sync(~0u, x & 1);
  out[i] = most(peers, x);
}
