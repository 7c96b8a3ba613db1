extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], n = 0;
  unsigned all = __ballot_sync(~0u, x > 5);
  if (x > 5) {
    unsigned peers = __match_any_sync(all, x & 7);
    n = __popc(peers);
  }
  out[t] = n;
}
