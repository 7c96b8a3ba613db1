extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  int t = threadIdx.x;
  out[t] = in[t] - in[t - 1];  //~ FAULT oob-global
}
