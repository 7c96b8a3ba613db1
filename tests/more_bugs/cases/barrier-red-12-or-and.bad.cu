extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  int r;
  if (t < 32) r = __syncthreads_or(v > 30);  //~ FAULT barrier-mix
  else r = __syncthreads_and(v < 50);  //~ FAULT barrier-mix
  out[t] = r != 0;
}
