extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  extern __shared__ unsigned s[];
  unsigned t = threadIdx.x;
  for (unsigned i = t; i < n; i += 64) s[i] = in[i];
  __syncthreads();
  unsigned acc = 0;
  for (unsigned i = 0; i <= n; ++i) acc += s[i]; //~ FAULT uninit-shared
  out[t] = acc; //~ FAULT uninit-shared
}
