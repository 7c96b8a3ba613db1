__constant__ unsigned table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  out[t] = table[in[t]];
}
