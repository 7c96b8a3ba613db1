extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned lane = threadIdx.x, m = lane < 16 ? 0xffffu : 0xffff0000u;
  s[lane] = in[lane];  //~ FAULT race-warp
  __syncwarp(m);
  out[lane] = s[31 - lane];  //~ FAULT race-warp
}
