#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, unsigned *box) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> flag(box[1]);
  if (threadIdx.x == 0) {
    box[0] = 42;
    flag.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 32) {
    while (flag.load(cuda::memory_order_acquire) == 0) { }
    out[0] = box[0];
  }
}
