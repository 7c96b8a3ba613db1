#include <cuda/barrier>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ alignas(16) unsigned s[64];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(s + t, in + t, sizeof(unsigned), bar); //~ FAULT async-wait
  __syncthreads();
  out[t] = s[63 - t]; //~ FAULT async-wait
  bar.arrive_and_wait();
}
