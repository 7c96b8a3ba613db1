extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  unsigned x = in[blockIdx.x * 32 + threadIdx.x];
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0u, 1u) == 0u) {
      
      sum[0] = sum[0] + x; //~ FAULT race-global
      atomicExch(lock, 0u);
      done = true;
    }
  }
}
