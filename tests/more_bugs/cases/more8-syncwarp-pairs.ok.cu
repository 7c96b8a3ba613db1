extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, lane = t % 32, v = in[t];
  unsigned pair = 3u << (lane & ~1u);
  s[t] = v;
  __syncwarp(pair);
  v += s[t ^ 1];
  __syncwarp(pair);
  s[t] = v;
  __syncwarp();
  out[t] = s[t ^ 2];
}
