// atomicMax on memory from cudaMalloc.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *best) {
  unsigned i = blockIdx.x * 48 + threadIdx.x;
  unsigned old = atomicMax(best, in[i]);  //~ FAULT
  if (i == 0) out[0] = old;  //~ FAULT
}
