// Two locks in address order; an early continue forgets the second one.
extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  if (threadIdx.x > 3) return;
  for (unsigned i = 0; i < 2; ++i) {
    while (atomicCAS(&lock[0], 0, 1)) {}  //~ FAULT
    while (atomicCAS(&lock[1], 0, 1)) {}  //~ FAULT
    __threadfence();
    unsigned x = in[blockIdx.x * 32 + threadIdx.x + i];
    if (x == 17) { atomicExch(&lock[0], 0); continue; }
    *(volatile unsigned *)sum += x;
    __threadfence();
    atomicExch(&lock[1], 0);
    atomicExch(&lock[0], 0);
  }
}
