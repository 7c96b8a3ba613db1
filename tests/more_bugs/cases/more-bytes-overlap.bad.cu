extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  ((unsigned char *)s)[t * 4 + 1] = t; //~ FAULT race-warp
  out[t] = s[t ^ 1]; //~ FAULT race-warp
}
