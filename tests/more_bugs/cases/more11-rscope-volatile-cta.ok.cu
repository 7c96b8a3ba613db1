extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *unused, unsigned *n) {
  if (threadIdx.x == 0) {
    atomicAdd(n, in[blockIdx.x]);
  }
}
