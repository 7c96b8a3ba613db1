extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned s[64];
  unsigned t = threadIdx.x, lane = t % 32, v = in[t];
  if (lane >= 16) {
    s[t] = v;
    __syncwarp(0xffff0000u);
    v += s[t ^ 1];
  }
  out[t] = v;
}
