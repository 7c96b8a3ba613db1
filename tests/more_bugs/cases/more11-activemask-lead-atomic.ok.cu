extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  if (x & 1) {
    unsigned m = __activemask();
    if ((t & 31) == __ffs(m) - 1) atomicAdd(out, __popc(m));
  }
}
