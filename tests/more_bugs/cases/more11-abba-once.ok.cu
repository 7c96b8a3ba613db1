__device__ __noinline__ void take(unsigned *l) { while (atomicCAS(l, 0, 1)) {} __threadfence(); }
__device__ __noinline__ void give(unsigned *l) { __threadfence(); atomicExch(l, 0); }
extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  if (threadIdx.x) return;
  unsigned a = blockIdx.x, b = 1 - a;
  if (a > b) { unsigned c = a; a = b; b = c; }
  take(lock + a);
  take(lock + b);
  *sum += in[blockIdx.x];
  give(lock + b);
  give(lock + a);
}
