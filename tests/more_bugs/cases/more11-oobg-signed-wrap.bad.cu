// An unsigned difference below zero.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned t = threadIdx.x;
  unsigned back = t + 32 - n;
  out[t] = in[back];  //~ FAULT
}
