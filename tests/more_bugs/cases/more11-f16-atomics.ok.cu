// Atomics of many types.
#include <cuda_fp16.h>
extern "C" __global__ void k(__half2 *h, double *d, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  atomicAdd(h, __floats2half2_rn(1.f, 2.f));
  atomicAdd(d, (double)in[i]);
  atomicAdd((float *)(d + 1), 1.f);
}
