// Only one branch waits for the copy.
#include <cuda_pipeline_primitives.h>
__device__ __noinline__ unsigned use(const unsigned *p) { return *p + 1; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);  //~ FAULT
  __pipeline_commit();
  if (t < 40)
  __pipeline_wait_prior(0);
  out[t] = use(&s[t]);  //~ FAULT
}
