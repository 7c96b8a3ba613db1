extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  if (in[threadIdx.x] > 40) *out = 1;
}
