extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned lane = threadIdx.x, m = lane < 16 ? 0xffffu : 0xffff0000u;
  s[lane] = in[lane];
  __syncwarp(m);
  out[lane] = s[lane ^ 15];
}
