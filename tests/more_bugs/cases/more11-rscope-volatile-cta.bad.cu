// atomicAdd_block as the ticket of a grid-wide count.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *unused, unsigned *n) {
  if (threadIdx.x == 0) {
    atomicAdd_block(n, in[blockIdx.x]);  //~ FAULT
  }
}
