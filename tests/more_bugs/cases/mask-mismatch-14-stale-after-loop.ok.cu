extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = in[t], acc = 0, live = __ballot_sync(0xffffffffu, n > 0);
  for (unsigned i = 0; i < n; ++i) {
    acc += __popc(__ballot_sync(live, i & 1));
    live = __ballot_sync(live, i + 1 < n);
  }
  __syncwarp();
  out[t] = acc;
}
