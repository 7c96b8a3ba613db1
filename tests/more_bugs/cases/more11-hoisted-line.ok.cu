extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[65];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t == 0) s[64] = 1;
  __syncthreads();
  unsigned r;
  if (in[t] & 1) r = s[t + 1] * 3;
  else r = s[t + 1] + 7;
  out[t] = r;
}
