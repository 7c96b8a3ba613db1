extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  if (t < 20) {
    unsigned y = __shfl_xor_sync(0xfffffu, v, 16);
    if ((t < 4 || t >= 16) && y > v) r = 1;
  }
  out[t] = r;
}
