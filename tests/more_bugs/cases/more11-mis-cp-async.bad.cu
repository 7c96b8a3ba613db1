// cp.async of 16 bytes to a shared row of 17 words.
#include <cuda_pipeline_primitives.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[16 * 5];
  unsigned t = threadIdx.x;
  const unsigned P = 5;
  __pipeline_memcpy_async(&s[t * P], in + t * 4, 16);  //~ FAULT
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = s[t * P + i];
}
