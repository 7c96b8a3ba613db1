// A 16-bit atomic at an odd byte.
extern "C" __global__ void k(unsigned char *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned short *p = (unsigned short *)(out + t * 4 + 1);
  atomicCAS(p, (unsigned short)0, (unsigned short)in[t]);  //~ FAULT
}
