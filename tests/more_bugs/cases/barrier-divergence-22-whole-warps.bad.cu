extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < n) { __syncthreads(); out[t] = s[n - 1 - t]; }  //~ FAULT barrier-sites
  else { s[t] += 1; __syncthreads(); out[t] = s[t]; }  //~ FAULT barrier-sites
}
