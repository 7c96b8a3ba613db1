#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, unsigned *data,  unsigned *flag) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42; //~ FAULT race-scope
      cuda::atomic_ref<unsigned, cuda::thread_scope_block> f(*flag);
      f.store(1, cuda::memory_order_release);
    }
  } else {
    if (threadIdx.x == 0) {
      while ((cuda::atomic_ref<unsigned, cuda::thread_scope_block>(*flag).load(cuda::memory_order_acquire)) == 0) { }
      
      out[blockIdx.x] = data[0]; //~ FAULT race-scope
    }
  }
}
