#include <cuda_pipeline.h>
extern "C" __global__ void k(int *out, const int *in) {
  __shared__ __align__(16) int stage[32];
  __shared__ __align__(16) int other[32];
  int t = threadIdx.x;
  other[t] = t;
  if (t < 16) __pipeline_memcpy_async(&stage[t * 4], &in[t * 4], 16);  //~ FAULT oob-shared
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[t] = stage[31 - t] + other[t];
}
