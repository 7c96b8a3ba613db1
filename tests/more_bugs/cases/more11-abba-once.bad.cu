// Two blocks take two locks in opposite order, once each.
__device__ __noinline__ void take(unsigned *l) { while (atomicCAS(l, 0, 1)) {} __threadfence(); }  //~ FAULT
__device__ __noinline__ void give(unsigned *l) { __threadfence(); atomicExch(l, 0); }
extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  if (threadIdx.x) return;
  unsigned a = blockIdx.x, b = 1 - a;
  take(lock + a);
  take(lock + b);  //~ FAULT
  *sum += in[blockIdx.x];
  give(lock + b);
  give(lock + a);
}
