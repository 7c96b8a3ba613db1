// cuda::atomic_ref fetch_add acq_rel as ticket; the last one resets with a plain store.
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *part, unsigned *n) {
  unsigned b = blockIdx.x;
  if (threadIdx.x) return;
  part[b] = in[b];
  if (cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*n).fetch_add(1, cuda::memory_order_acq_rel) == 1) {
    *out = part[0] + part[1];
    *n = 0;
  }
}
