// __syncthreads_count behind a test of the own value.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], n = 0;
  if (x < 60)
  n = __syncthreads_count(x & 1);  //~ FAULT
  out[t] = n + x;
}
