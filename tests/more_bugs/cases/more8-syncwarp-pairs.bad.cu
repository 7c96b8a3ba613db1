// Each pair exchanges, but only the writer's side passes the sync with both lanes in the mask.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, lane = t % 32, v = in[t];
  unsigned pair = 3u << (lane & ~1u);
  s[t] = v;
  __syncwarp(pair);
  v += s[t ^ 1];
  __syncwarp(pair);
  s[t] = v;  //~ FAULT race-warp
  __syncwarp(pair);
  out[t] = s[t ^ 2];  //~ FAULT race-warp
}
