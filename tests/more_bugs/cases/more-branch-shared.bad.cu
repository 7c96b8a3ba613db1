extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned char seen[96];
  unsigned t = threadIdx.x;
  seen[in[t]] = 1;
  __syncthreads();
  unsigned n = 0;
  for (int i = 0; i < 90; ++i) if (seen[i]) ++n; //~ FAULT uninit-shared
  out[t] = n; //~ FAULT uninit-shared
}
