extern "C" __global__ void k(unsigned *next, unsigned *head, unsigned *out, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  unsigned old = atomicExch(head, i + 1);
  next[i] = old != 0;
  out[i] = in[i];
}
