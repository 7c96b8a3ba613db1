// The last lane broadcasts; it has returned in the loop.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  for (unsigned i = 0; i < 4; ++i) {
    x = x * 3 + i;
    if (x % 7 == 2 && t == 31) { out[t] = x; return; }
  }
  if (t == 31) { out[t] = x; return; }
  x = __shfl_sync(~0u, x, 31);  //~ FAULT
  out[t] = x;
}
