// Bytes by threads of two blocks, one of them writes whole words.
extern "C" __global__ void k(unsigned char *out, const unsigned *in) {
  unsigned i = blockIdx.x * 38 + threadIdx.x;
  if (threadIdx.x % 2 == 0) *(unsigned short *)(out + i) = in[i] + i * blockIdx.x;  //~ FAULT
}
