extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned char seen[32];
  unsigned t = threadIdx.x, r = 0;
  if (in[t] > 1) seen[t] = 1;
  __syncwarp();
  if (seen[t]) r = in[t] * in[t];  //~ FAULT uninit-shared
  out[t] = r;
}
