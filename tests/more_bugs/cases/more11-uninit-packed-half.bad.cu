// Only the low halves of a half2 array are written.
#include <cuda_fp16.h>
extern "C" __global__ void k(float *out, const unsigned *in, __half2 *h) {
  unsigned t = threadIdx.x;
  h[t].x = __uint2half_rn(in[t]);
  __half2 v = __hadd2(h[t], h[t]);  //~ FAULT
  out[t] = __low2float(v) + __high2float(v);  //~ FAULT
}
