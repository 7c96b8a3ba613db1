extern "C" __global__ void k(unsigned *total, unsigned *out, const unsigned *in) {
  unsigned v = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    atomicAdd(total, v);  //~ FAULT race-global
    out[blockIdx.x] = *total > 0;  //~ FAULT race-global
  }
}
