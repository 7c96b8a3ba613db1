// A lock by compare and swap; what it guards is read without a fence after the lock was taken.
__device__ void take(int *lock) { while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20); }
__device__ void give(int *lock) { atomicExch(lock, 0); }
extern "C" __global__ void k(unsigned *out, int *lock, unsigned *list) {
  if (threadIdx.x == 0) {
    take(lock);
    unsigned n = list[0];  //~ FAULT race-global
    list[1 + n] = blockIdx.x;  //~ FAULT race-global
    list[0] = n + 1;  //~ FAULT race-global
    give(lock);
  }
  out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}
