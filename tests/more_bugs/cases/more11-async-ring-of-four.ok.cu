#include <cuda_pipeline_primitives.h>
template <int STAGES> __device__ void load(unsigned (*s)[96], const unsigned *in, unsigned i) {
  unsigned t = threadIdx.x;
  if (i < 9) __pipeline_memcpy_async(&s[i % STAGES][t], in + i * 96 + t, 4);
  __pipeline_commit();
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[4][96];
  unsigned t = threadIdx.x, acc = 0;
  for (unsigned i = 0; i < 3; ++i) load<4>(s, in, i);
  for (unsigned i = 0; i < 9; ++i) {
    __pipeline_wait_prior(2);
    __syncthreads();
    acc += s[i % 4][95 - t];
    load<4>(s, in, i + 3);
  }
  out[t] = acc;
}
