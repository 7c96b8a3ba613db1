// Opportunistic aggregation by hand: any group does.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *n) {
  unsigned t = threadIdx.x, x = in[t], lane = t & 31;
  if (x % 3) {
    unsigned m = __activemask(), lead = __ffs(m) - 1, base;
    if (lane == lead) base = atomicAdd(n, __popc(m));
    base = __shfl_sync(m, base, lead);
    out[base + __popc(m & ((1u << lane) - 1))] = x;
  }
}
