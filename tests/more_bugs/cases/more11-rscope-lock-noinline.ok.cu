__device__ __noinline__ void lock(unsigned *l) { while (atomicCAS(l, 0, 1)) {} __threadfence(); }
__device__ __noinline__ void unlock(unsigned *l) { __threadfence(); atomicExch(l, 0); }
extern "C" __global__ void k(unsigned *l, unsigned *sum, const unsigned *in) {
  if (threadIdx.x % 32 == 0) {
    lock(l);
    *sum += in[threadIdx.x];
    unlock(l);
  }
}
