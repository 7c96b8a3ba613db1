#include <cuda/atomic>
extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  if (threadIdx.x) return;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> l(*lock);
  while (l.exchange(1, cuda::memory_order_acquire)) {}
  *sum += in[blockIdx.x];
  l.store(0, cuda::memory_order_release);
}
