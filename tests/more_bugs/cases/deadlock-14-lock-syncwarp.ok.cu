extern "C" __global__ void k(unsigned *out, unsigned *lock) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0u, 1u) == 0u) {
      __threadfence();
      *(volatile unsigned *)out = *(volatile unsigned *)out + 1;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
  __syncwarp();
}
