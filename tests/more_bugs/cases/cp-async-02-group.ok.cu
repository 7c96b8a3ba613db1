#include <cuda_pipeline.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[2][32];
  unsigned lane = threadIdx.x;
  __pipeline_memcpy_async(&s[0][lane], in + lane, 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][lane], in + 32 + lane, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncwarp();
  unsigned v = s[0][31 - lane];
  __pipeline_wait_prior(0);
  __syncwarp();
  out[lane] = v + s[1][31 - lane];
}
