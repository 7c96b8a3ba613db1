extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  for (int i = 0; i < 4; ++i) {
    r += __syncthreads_or(x & (1 << i));
    x /= 2;
  }
  r += __syncthreads_count(x > 2);
  out[t] = r;
}
