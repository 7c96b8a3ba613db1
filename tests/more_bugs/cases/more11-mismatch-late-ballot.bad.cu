// One side of a branch updates the mask.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned m = ~0u;
  if (x < 50) m = in[0] ? 0x7fffffffu | (1u << (t & 31)) : m;
  __syncwarp(m);  //~ FAULT
  out[t] = x;
}
