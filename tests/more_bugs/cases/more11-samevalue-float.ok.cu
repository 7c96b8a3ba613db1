extern "C" __global__ void k(float *out, const unsigned *in) {
  if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = in[1] * 0.5f;
}
