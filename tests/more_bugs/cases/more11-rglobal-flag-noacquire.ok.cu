#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, unsigned *flag) {
  unsigned t = threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(*flag);
  if (blockIdx.x == 0) {
    data[t] = in[t] + 1;
    __syncwarp();
    if (t == 0) f.store(1, cuda::memory_order_release);
  } else {
    if (t == 0) {
      while (f.load(cuda::memory_order_acquire) == 0) __nanosleep(50);
    }
    __syncwarp();
    out[t] = data[t];
  }
}
