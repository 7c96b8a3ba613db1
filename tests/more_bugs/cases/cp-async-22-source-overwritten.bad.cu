#include <cuda_pipeline_primitives.h>
extern "C" __global__ void k(unsigned *out, unsigned *in) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);  //~ FAULT async-wait
  __pipeline_commit();
  in[t] = 0;  //~ FAULT async-wait
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
