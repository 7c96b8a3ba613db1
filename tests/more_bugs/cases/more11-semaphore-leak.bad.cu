// A counting semaphore of two; one owner does not release.
#include <cuda/semaphore>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned char mem[sizeof(cuda::counting_semaphore<cuda::thread_scope_block, 2>)];
  auto *s = (cuda::counting_semaphore<cuda::thread_scope_block, 2> *)mem;
  unsigned t = threadIdx.x;
  if (t == 0) new (s) cuda::counting_semaphore<cuda::thread_scope_block, 2>(1);
  __syncthreads();
  if (t % 32 == 0) {
    s->acquire();  //~ FAULT
    atomicAdd(out, in[t]);
    if (t != 32)
    s->release();
  }
}
