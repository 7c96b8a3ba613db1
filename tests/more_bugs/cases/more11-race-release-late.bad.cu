// Two arrays, the second is written after the release.
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, unsigned *flag) {
  unsigned t = threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(*flag);
  if (blockIdx.x == 0) {
    data[t] = in[t];
    __syncwarp();
    if (t == 0) f.store(1, cuda::memory_order_release);
    data[32 + t] = t;  //~ FAULT
  } else {
    while (f.load(cuda::memory_order_acquire) == 0) {}
    out[t] = data[31 - t] + data[32 + t];  //~ FAULT
  }
}
