// A 64-bit field behind a 32-bit one, read through a cast.
extern "C" __global__ void k(unsigned long long *out, const unsigned char *in) {
  unsigned t = threadIdx.x;
  const unsigned char *p = in + t * 4;
  unsigned long long v = *(const unsigned long long *)p;  //~ FAULT
  out[t] = v;
}
