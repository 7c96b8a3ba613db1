extern "C" __global__ void k(unsigned short *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned short a = in[t] * 100, b = in[(t + 1) % 32];
  if (b == 0) b = 1;
  out[t] = a / b;
}
