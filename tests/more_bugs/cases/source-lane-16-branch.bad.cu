extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  if (t < 20) {
    unsigned y = __shfl_xor_sync(0xfffffu, v, 16);  //~ FAULT source-lane
    if (y > v) r = 1;
  }
  out[t] = r;
}
