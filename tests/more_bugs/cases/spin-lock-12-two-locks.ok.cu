__device__ void take(unsigned *p) { while (atomicCAS(p, 0u, 1u)) __nanosleep(32); }
__device__ void give(unsigned *p) { __threadfence(); atomicExch(p, 0u); }
extern "C" __global__ void k(unsigned *out, unsigned *lock) {
  unsigned t = threadIdx.x;
  if (t == 0) { take(lock); take(lock + 1); atomicAdd(out, 1u); give(lock + 1); give(lock); }
  if (t == 33) { take(lock); take(lock + 1); atomicAdd(out, 1u); give(lock + 1); give(lock); }
}
