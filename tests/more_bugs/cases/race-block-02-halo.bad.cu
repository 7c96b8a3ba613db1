extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[66];
  unsigned t = threadIdx.x;
  s[t + 1] = in[t + 1];  //~ FAULT race-block
  if (t == 0) { s[0] = in[0]; s[65] = in[65]; }  //~ FAULT race-block
  out[t] = s[t] + s[t + 2];  //~ FAULT race-block
}
