#include <cuda_pipeline_primitives.h>
extern "C" __global__ void k(uint4 *out, const uint4 *in) {
  __shared__ uint4 s[32];
  unsigned t = threadIdx.x;
  s[t] = make_uint4(0, 0, 0, 0);
  if (t < 31)
  __pipeline_memcpy_async(&s[t], in + t, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
