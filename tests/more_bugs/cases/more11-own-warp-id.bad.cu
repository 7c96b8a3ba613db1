// The mask is made of threadIdx.x, not of the lane.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned bit = 1u << (t < 32 ? t : 31);
  __syncwarp(bit);  //~ FAULT
  out[t] = x;
}
