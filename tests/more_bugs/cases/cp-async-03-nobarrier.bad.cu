#include <cuda_pipeline.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[64];
  unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);  //~ FAULT race-block
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[63 - t];  //~ FAULT race-block
}
