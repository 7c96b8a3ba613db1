extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  unsigned mask = t < 24 ? 0xffffffffu : 0xff000000u;
  out[t] = __reduce_add_sync(mask, v);  //~ FAULT mask-mismatch
}
