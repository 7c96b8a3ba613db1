extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r;
  if (v & 1) r = __shfl_up_sync(0xffffffffu, v, 1);  //~ FAULT absent-lane
  else r = __shfl_down_sync(0xffffffffu, v, 1);  //~ FAULT absent-lane
  out[t] = r;
}
