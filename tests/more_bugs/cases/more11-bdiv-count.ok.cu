extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], n = 0;
  n = __syncthreads_count(x & 1);
  out[t] = n + x;
}
