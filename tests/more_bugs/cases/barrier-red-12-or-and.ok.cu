extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  int a = __syncthreads_or(v > 30);
  int b = __syncthreads_and(v < 50);
  int r = t < 32 ? a : b;
  out[t] = r != 0;
}
