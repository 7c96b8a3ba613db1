extern "C" __global__ void k(float *out, const unsigned *num, const unsigned *den) {
  unsigned t = threadIdx.x;
  out[t] = (float)num[t] / (float)den[t];
}
