extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], g = t / 4;
  unsigned m = 0xfu << (4 * g);
  out[t] = __reduce_add_sync(m, x);
}
