#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, unsigned *data,  unsigned *flag) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42; //~ FAULT
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(*flag);
      f.store(1);
    }
  } else {
    if (threadIdx.x == 0) {
      while ((cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*flag).load()) == 0) { }
      
      out[blockIdx.x] = data[0]; //~ FAULT
    }
  }
}
