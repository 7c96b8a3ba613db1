// Peers among the active lanes add up for their leader.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], lane = t & 31;
  if (x > 4) {
    unsigned m = __match_any_sync(__activemask(), x % 16);
    if (lane == __ffs(m) - 1) atomicAdd(&out[x % 16], __popc(m));
  }
}
