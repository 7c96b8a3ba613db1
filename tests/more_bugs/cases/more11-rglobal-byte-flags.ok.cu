extern "C" __global__ void k(unsigned char *out, const unsigned *in) {
  unsigned i = blockIdx.x * 40 + threadIdx.x;
  if (threadIdx.x % 2 == 0) *(unsigned short *)(out + i) = in[i] + i * blockIdx.x;
}
