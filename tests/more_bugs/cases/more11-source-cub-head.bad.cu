// ShuffleUp of a hand-written scan over a segment of 24: the first lane's value comes from outside.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned m = 0x0ffffff0u;
  if (m >> t & 1) {
    unsigned up = __shfl_up_sync(m, x, 2);  //~ FAULT
    unsigned down = __shfl_down_sync(m, x, 1);  //~ FAULT
    r = up ^ down;
  }
  out[t] = r;
}
