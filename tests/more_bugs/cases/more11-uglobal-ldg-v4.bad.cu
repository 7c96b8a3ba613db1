// A vector load of four words, three of which were written.
extern "C" __global__ void k(unsigned *out, const unsigned *in, uint4 *w) {
  unsigned t = threadIdx.x;
  w[t].x = in[t]; w[t].y = 1; w[t].z = 2;
  uint4 v = w[t];  //~ FAULT
  out[t] = v.x + v.y + v.w;  //~ FAULT
}
