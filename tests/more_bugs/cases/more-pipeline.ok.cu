#include <cuda/pipeline>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][64];
  unsigned t = threadIdx.x, acc = 0;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], in + t, sizeof(unsigned), pipe);
  pipe.producer_commit();
  for (int r = 0; r < 2; ++r) {
    if (r < 1) { pipe.producer_acquire(); cuda::memcpy_async(&s[1][t], in + 64 + t, sizeof(unsigned), pipe); pipe.producer_commit(); }
    pipe.consumer_wait();
    __syncthreads();
    acc = acc * 3 + s[r][63 - t];
    __syncthreads();
    pipe.consumer_release();
  }
  out[t] = acc;
}
