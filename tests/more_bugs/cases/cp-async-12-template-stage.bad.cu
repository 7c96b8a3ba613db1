#include <cuda_pipeline_primitives.h>
template <int Stages> __device__ void fetch(unsigned (*s)[64], const unsigned *in, int r) {
  __pipeline_memcpy_async(&s[r % Stages][threadIdx.x], in + 64 * r + threadIdx.x, 4);  //~ FAULT async-wait
  __pipeline_commit();
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][64];
  unsigned t = threadIdx.x, acc = 0;
  fetch<2>(s, in, 0);
  for (int r = 0; r < 4; ++r) {
    if (r < 3) fetch<2>(s, in, r + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    acc = acc * 3 + s[r & 1][63 - t];  //~ FAULT async-wait
    __syncthreads();
  }
  out[t] = acc;
}
