extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if ((t & 31) < 8) __syncwarp(0xff);
  else __syncwarp(0xffffff00u);
  __syncthreads();
  out[t] = s[t];
}
