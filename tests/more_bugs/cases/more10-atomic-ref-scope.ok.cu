#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, unsigned *flag, unsigned *data) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(*flag);
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    data[3] = 42;
    f.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 0) {
    while (f.load(cuda::memory_order_acquire) == 0) ;
    out[blockIdx.x] = data[3];
  }
}
