// A lock taken by every lane of every warp.
//
// What to see: while one lane of a warp holds the lock, the others spin in the same loop. With independent thread
// scheduling (Volta and later) the holder still gets its turn and the kernel ends. With the reconvergence stack of
// older chips the spinning lanes may be run first and for ever:
//
//     warpvm run --launch examples/spin_lock.json
//     warpvm run --launch examples/spin_lock.json --convergence stack --max-steps 1000000

extern "C" __global__ void spin_lock(int *lock, int *counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int *)counter += 1;
  __threadfence();
  atomicExch(lock, 0);
}
