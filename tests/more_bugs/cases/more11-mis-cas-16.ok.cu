extern "C" __global__ void k(unsigned char *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned short *p = (unsigned short *)(out + t * 4 + 2);
  atomicCAS(p, (unsigned short)0, (unsigned short)in[t]);
}
