extern "C" __global__ void k(unsigned *out, unsigned *part, unsigned *count, const unsigned *in) {
  unsigned v = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x) return;
  part[blockIdx.x] = v;  //~ FAULT race-global
  if (atomicAdd(count, 1u) == gridDim.x - 1) {
    unsigned s = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) s += part[i];  //~ FAULT race-global
    out[0] = s;
  }
}
