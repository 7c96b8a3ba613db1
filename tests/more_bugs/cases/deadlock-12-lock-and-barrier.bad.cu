struct Lock {
  unsigned *p;
  __device__ void take() { while (atomicExch(p, 1u)) { } }  //~ FAULT deadlock
  __device__ void give() { __threadfence(); atomicExch(p, 0u); }
};
extern "C" __global__ void k(unsigned *out, unsigned *lock) {
  Lock l{lock};
  l.take();
  __syncthreads();  //~ FAULT deadlock
  l.give();
  if (threadIdx.x == 0) out[0] = 1;
}
