extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *scratch) {
  unsigned t = threadIdx.x;
  if (t & 1) scratch[t] = t;
  __syncwarp();
  out[t] = in[((volatile unsigned *)scratch)[t] & 31]; //~ FAULT uninit-global
}
