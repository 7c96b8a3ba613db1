extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned lane = threadIdx.x;
  s[lane] = in[lane];
  __syncwarp(0xfffffffeu);  //~ FAULT own-lane
  out[lane] = s[(lane + 1) % 32];
}
