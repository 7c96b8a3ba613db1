extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.y * 8 + threadIdx.x, v = in[t];
  for (int d = 4; d; d >>= 1)
    v += __shfl_xor_sync(0xffu, v, d);  //~ FAULT own-lane
  out[t] = v;
}
