extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  if (in[i] > 30) *out = i;  //~ FAULT race-global
}
