// The lowest active lane writes for all, as if it were one.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  if (x & 1) {
    unsigned m = __activemask();  //~ FAULT
    if ((t & 31) == __ffs(m) - 1) atomicAdd(out, 1);
  }
}
