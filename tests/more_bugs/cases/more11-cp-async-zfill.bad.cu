// Only rows inside are copied; the tail of the tile stays undefined (no zero fill).
#include <cuda_pipeline_primitives.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ uint4 s[32];
  unsigned t = threadIdx.x;
  if (t < 25) __pipeline_memcpy_async(&s[t], in + 4 * t, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  uint4 v = s[31 - t];  //~ FAULT
  out[t] = v.x + v.y; out[t + 32] = v.z;  //~ FAULT
  out[t + 64] = 0; out[t + 96] = 1;
}
