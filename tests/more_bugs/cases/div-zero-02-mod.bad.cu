extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = in[t];
  out[t] = t % n;  //~ FAULT div-zero
}
