__device__ void take(unsigned *p) { while (atomicCAS(p, 0u, 1u)) __nanosleep(32); }  //~ FAULT deadlock
__device__ void give(unsigned *p) { __threadfence(); atomicExch(p, 0u); }
extern "C" __global__ void k(unsigned *out, unsigned *lock) {
  unsigned t = threadIdx.x;
  if (t == 0) { take(lock); for (int i = 0; i < 20; ++i) __nanosleep(64); take(lock + 1); atomicAdd(out, 1u); give(lock + 1); give(lock); }
  if (t == 33) { take(lock + 1); for (int i = 0; i < 20; ++i) __nanosleep(64); take(lock); atomicAdd(out, 1u); give(lock); give(lock + 1); }
}
