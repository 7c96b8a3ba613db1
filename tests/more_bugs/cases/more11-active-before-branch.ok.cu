extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned m = __ballot_sync(~0u, x > 30);
  if (x > 30) r = __reduce_max_sync(m, x);
  __syncwarp();
  out[t] = r;
}
