extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  atomicAdd((unsigned long long *)(out + (t & 1)), (unsigned long long)in[t]);  //~ FAULT misaligned
}
