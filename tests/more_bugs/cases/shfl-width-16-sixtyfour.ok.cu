extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  out[t] = __shfl_xor_sync(0xffffffffu, in[t], 1, warpSize);
}
