extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned keep;
  unsigned t = threadIdx.x, x = in[t];
  unsigned all = __ballot_sync(~0u, x & 4);
  if (t == 0) keep = 0;
  __syncwarp();
  if (x & 4) {
    unsigned m = all;
    if (__popc(m & ((1u << t) - 1)) == 0) keep = m;
  }
  __syncwarp();
  out[t] = __popc(keep) + x;
}
