// The flag is an atomic of block scope, but it hands over between blocks.
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, unsigned *flag, unsigned *data) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> f(*flag);
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    data[3] = 42;  //~ FAULT race-scope
    f.store(1, cuda::memory_order_release);  //~ FAULT race-scope
  } else if (threadIdx.x == 0) {
    while (f.load(cuda::memory_order_acquire) == 0) ;  //~ FAULT race-scope
    out[blockIdx.x] = data[3];  //~ FAULT race-scope
  }
}
