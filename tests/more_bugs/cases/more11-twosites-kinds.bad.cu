// shfl.up in one branch, shfl.down in the other: two kinds, one mask.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  if (t & 1) x += __shfl_up_sync(~0u, x, 1);  //~ FAULT
  else x += __shfl_down_sync(~0u, x, 1);  //~ FAULT
  out[t] = x;
}
