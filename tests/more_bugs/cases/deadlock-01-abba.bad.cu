__device__ void lock(unsigned *l) { while (atomicCAS(l, 0u, 1u)) __nanosleep(32); }  //~ FAULT deadlock
__device__ void unlock(unsigned *l) { __threadfence(); atomicExch(l, 0u); }
extern "C" __global__ void k(unsigned *out, unsigned *l) {
  __shared__ volatile unsigned ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x % 32) return;
  unsigned a = threadIdx.x / 32, b = 1 - a;
  lock(l + a);
  atomicAdd((unsigned *)&ready, 1u);
  while (ready < 2) { }
  lock(l + b);
  out[a] = 1;
  unlock(l + b);
  unlock(l + a);
}
