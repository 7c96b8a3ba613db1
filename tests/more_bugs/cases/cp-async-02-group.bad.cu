#include <cuda_pipeline.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[2][32];
  unsigned lane = threadIdx.x;
  __pipeline_memcpy_async(&s[0][lane], in + lane, 4);  //~ FAULT async-wait
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][lane], in + 32 + lane, 4);  //~ FAULT async-wait
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncwarp();
  out[lane] = s[0][lane] + s[1][lane];  //~ FAULT async-wait
}
