extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  extern __shared__ unsigned s[];
  unsigned t = threadIdx.x;
  s[t] = in[t];  //~ FAULT oob-shared
  __syncthreads();
  out[t] = s[63 - t];
}
