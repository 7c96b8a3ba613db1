#include <cuda/atomic>
template <cuda::thread_scope S> __device__ void add(unsigned *p, unsigned v) {
  cuda::atomic_ref<unsigned, S> r(*p);
  r.fetch_add(v, cuda::memory_order_relaxed);
}
extern "C" __global__ void k(unsigned *total, const unsigned *in) {
  add<cuda::thread_scope_device>(total, in[blockIdx.x * 32 + threadIdx.x]);
}
