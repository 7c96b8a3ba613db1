extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, x = in[t], r = 0;
  s[t] = 0;
  __syncwarp();
  unsigned all = __ballot_sync(~0u, x >= 8);
  if (x >= 8) {
    s[t] = x;
    __syncwarp(all);
    r = s[t ^ 2];
  }
  out[t] = r;
}
