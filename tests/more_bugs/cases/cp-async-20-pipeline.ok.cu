#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][32];
  auto pipe = cuda::make_pipeline();
  unsigned t = threadIdx.x, acc = 0;
  for (int r = 0; r < 4; ++r) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[r & 1][t], in + 32 * r + t, sizeof(unsigned), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    acc += s[r & 1][t];
    pipe.consumer_release();
  }
  out[t] = acc;
}
