extern "C" __global__ void k(unsigned *bins, const unsigned *in) {
  unsigned v = in[threadIdx.x];
  atomicAdd(bins + v, 1u);  //~ FAULT oob-global
}
