extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned m = 0x0ffffff0u;
  if (m >> t & 1) {
    unsigned up = __shfl_up_sync(m, x, 2);
    unsigned down = __shfl_down_sync(m, x, 1);
    r = (t >= 6 ? up : 0) ^ (t < 27 ? down : 0);
  }
  out[t] = r;
}
