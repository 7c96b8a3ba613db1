extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncwarp(1u << t);
  out[t] = s[t];
}
