extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *best) {
  unsigned i = blockIdx.x * 48 + threadIdx.x;
  unsigned old = 0; if (i == 0) { *best = in[i]; old = atomicMax(best, in[i]); }
  if (i == 0) out[0] = old;
}
