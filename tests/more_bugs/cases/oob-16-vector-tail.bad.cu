extern "C" __global__ void k(uint4 *out, const uint4 *in) {
  unsigned t = threadIdx.x;
  out[t] = in[t];  //~ FAULT oob-global
}
