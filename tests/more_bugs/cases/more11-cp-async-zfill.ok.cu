#include <cuda_pipeline_primitives.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ uint4 s[32];
  unsigned t = threadIdx.x;
  if (t < 25) __pipeline_memcpy_async(&s[t], in + 4 * t, 16);
  else s[t] = make_uint4(0, 0, 0, 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  uint4 v = s[31 - t];
  out[t] = v.x + v.y; out[t + 32] = v.z;
  out[t + 64] = 0; out[t + 96] = 1;
}
