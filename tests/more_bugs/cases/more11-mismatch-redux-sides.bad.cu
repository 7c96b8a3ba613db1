// Each lane drops one other lane from its mask.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned m = ~0u;
  if (t < n) m = ~(1u << (t + 8));
  out[t] = __reduce_or_sync(m, x);  //~ FAULT
}
