// A lock with fences of block scope in helpers.
__device__ __noinline__ void lock(unsigned *l) { while (atomicCAS(l, 0, 1)) {} __threadfence_block(); }
__device__ __noinline__ void unlock(unsigned *l) { __threadfence_block(); atomicExch(l, 0); }
extern "C" __global__ void k(unsigned *l, unsigned *sum, const unsigned *in) {
  if (threadIdx.x % 32 == 0) {
    lock(l);
    *sum += in[threadIdx.x];  //~ FAULT
    unlock(l);
  }
}
