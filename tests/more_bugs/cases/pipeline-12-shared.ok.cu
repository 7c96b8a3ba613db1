#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &st);
  unsigned t = threadIdx.x, acc = 0;
  for (int r = 0; r < 4; ++r) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[r & 1][t], in + 64 * r + t, sizeof(unsigned), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    acc = acc * 3 + s[r & 1][63 - t];
    pipe.consumer_release();
  }
  out[t] = acc;
}
