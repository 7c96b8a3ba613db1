extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.y * blockDim.x + threadIdx.x, v = in[t];
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);  //~ FAULT source-lane
  out[t] = v;
}
