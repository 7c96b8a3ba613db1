#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
  __shared__ unsigned s[2][64];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &st);
  unsigned t = threadIdx.x, acc = 0;
  for (int i = 0; i < 4; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], in + i * 64, sizeof s[0], pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    block.sync();
    acc += s[i % 2][63 - t];
    block.sync();
    pipe.consumer_release();
  }
  out[t] = acc;
}
