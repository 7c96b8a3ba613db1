// The same load in both branches, which a compiler makes one.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[65];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  unsigned r;
  if (in[t] & 1) r = s[t + 1] * 3;  //~ FAULT
  else r = s[t + 1] + 7;  //~ FAULT
  out[t] = r;  //~ FAULT
}
