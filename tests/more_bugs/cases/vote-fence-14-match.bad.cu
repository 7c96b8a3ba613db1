extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned cnt[2][4];
  unsigned t = threadIdx.x, w = t / 32, lane = t % 32, v = in[t];
  unsigned m = __match_any_sync(0xffffffffu, v);
  if (lane == __ffs(m) - 1) cnt[w][v] = __popc(m);  //~ FAULT race-warp
  __ballot_sync(0xffffffffu, 1);
  out[t] = cnt[w][v];  //~ FAULT race-warp
}
