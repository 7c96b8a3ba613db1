extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned w) {
  out[threadIdx.x] = __shfl_up_sync(~0u, in[threadIdx.x], 1, w);  //~ FAULT shfl-width
}
