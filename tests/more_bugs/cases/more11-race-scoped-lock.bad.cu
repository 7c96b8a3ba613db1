// cuda::atomic_flag-like lock of block scope around a global sum.
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  if (threadIdx.x) return;
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> l(*lock);  //~ FAULT
  while (l.exchange(1, cuda::memory_order_acquire)) {}  //~ FAULT
  *sum += in[blockIdx.x];  //~ FAULT
  l.store(0, cuda::memory_order_release);  //~ FAULT
}
