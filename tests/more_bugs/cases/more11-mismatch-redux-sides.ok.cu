extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned m = ~0u;
  out[t] = __reduce_or_sync(m, x);
}
