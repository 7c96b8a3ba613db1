extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = in[t], acc = 0, live = 0xffffffffu;
  for (unsigned i = 0; i < n; ++i) {
    acc += __popc(__ballot_sync(live, i & 1));  //~ FAULT mask-mismatch
    if (t & 1) live = 0xaaaaaaaau;
  }
  __syncwarp();
  out[t] = acc;
}
