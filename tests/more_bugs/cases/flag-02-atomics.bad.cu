#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> flag;
  __shared__ unsigned data;
  if (threadIdx.x == 0) flag.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 40) { data = in[1]; flag.store(1, cuda::memory_order_relaxed); }  //~ FAULT race-block
  if (threadIdx.x == 2) { while (!flag.load(cuda::memory_order_relaxed)) { } *out = data; }  //~ FAULT race-block
}
