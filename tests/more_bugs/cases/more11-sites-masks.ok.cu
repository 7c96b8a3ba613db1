extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r;
  unsigned m = __ballot_sync(~0u, x > 30);
  if (x > 30) r = __any_sync(m, x & 1);
  else r = __any_sync(~m, x & 1);
  __syncwarp();
  out[t] = r;
}
