extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned next[32];
  unsigned t = threadIdx.x;
  if (t > 0) next[t] = t - 1;
  __syncwarp();
  unsigned j = next[t];  //~ FAULT uninit-shared
  out[t] = in[j & 31];  //~ FAULT uninit-shared
}
