#include <cuda/semaphore>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> sem;
  __shared__ unsigned sum;
  unsigned t = threadIdx.x;
  if (t == 0) { new (&sem) cuda::binary_semaphore<cuda::thread_scope_block>(1); sum = 0; }
  __syncthreads();
  sem.acquire();
  sum += in[t];
  sem.release();
  __syncthreads();
  if (t == 0) out[0] = sum;
}
