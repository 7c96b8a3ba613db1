extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned l = threadIdx.x;
  s[l] = in[l]; //~ FAULT race-warp
  if (l < 16) { __syncwarp(0xffff); out[l] = s[31 - l]; } //~ FAULT race-warp
  else { __syncwarp(0xffff0000); out[l] = s[47 - l]; } //~ FAULT race-warp
}
