extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, x = in[lane];
  if (x & 1) {
    unsigned m = __activemask();  //~ FAULT activemask
    out[__popc(m & ((1u << lane) - 1))] = x;  //~ FAULT race-warp
  }
}
