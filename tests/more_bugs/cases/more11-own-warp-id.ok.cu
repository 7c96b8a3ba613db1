extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned bit = 1u << (t & 31);
  __syncwarp(bit);
  out[t] = x;
}
