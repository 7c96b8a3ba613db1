extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  out[t] = s[63 - t] + 1;  //~ FAULT uninit-shared
}
