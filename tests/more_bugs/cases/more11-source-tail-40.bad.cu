// A block of 40: the last warp has eight lanes and reads from lane 8 on.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned m = t < 32 ? ~0u : 0xffu;
  unsigned d = 8;
  out[t] = x + __shfl_xor_sync(m, x, d);  //~ FAULT
}
