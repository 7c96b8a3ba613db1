extern "C" __global__ void k(unsigned *out, unsigned *n, const unsigned *in) {
  unsigned t = threadIdx.x, lane = t & 31;
  if (in[t] & 1) {
    unsigned m = __activemask();  //~ FAULT activemask
    if (lane == __ffs(m) - 1) atomicAdd(n, 1u);
    out[t] = 1;
  }
}
