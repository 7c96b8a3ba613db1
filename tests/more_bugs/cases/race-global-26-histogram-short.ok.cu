extern "C" __global__ void k(unsigned short *bins, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  bins[in[i]] += 1;
}
