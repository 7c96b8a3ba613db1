// The consumer gives the stage back and then reads it.
#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned stage[2][64];
  auto block = cg::this_thread_block();
  unsigned t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][t], &in[t], sizeof(unsigned), pipe);  //~ FAULT async-wait
  pipe.producer_commit();
  for (int i = 0; i < 3; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&stage[(i + 1) % 2][t], &in[(t + i) % 64], sizeof(unsigned), pipe);  //~ FAULT async-wait
    pipe.producer_commit();
    sum += stage[i % 2][t];  //~ FAULT async-wait
    pipe.consumer_wait();
    pipe.consumer_release();
  }
  pipe.consumer_wait();
  out[t] = sum;
}
