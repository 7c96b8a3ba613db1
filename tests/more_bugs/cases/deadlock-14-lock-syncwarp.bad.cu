extern "C" __global__ void k(unsigned *out, unsigned *lock) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0u, 1u) == 0u) {  //~ FAULT deadlock
      __threadfence();
      *(volatile unsigned *)out = *(volatile unsigned *)out + 1;
      __syncwarp();  //~ FAULT deadlock
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}
