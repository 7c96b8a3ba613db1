extern "C" __global__ void k(unsigned *total, const unsigned *in) {
  atomicAdd(total, in[threadIdx.x]);  //~ FAULT uninit-global
}
