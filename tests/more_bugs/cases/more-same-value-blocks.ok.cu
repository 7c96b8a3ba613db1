extern "C" __global__ void k(unsigned *found, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  if (in[i] % 5 == 0) *found = 1;
}
