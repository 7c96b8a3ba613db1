// Each lane writes a half; the pair is read by the even lane.
#include <cuda_fp16.h>
extern "C" __global__ void k(__half *out, const unsigned *in) {
  __shared__ __half s[32];
  unsigned t = threadIdx.x;
  s[t] = __uint2half_rn(in[t]);  //~ FAULT
  if (t % 2 == 0) {
    __half2 v = *(const __half2 *)&s[t];  //~ FAULT
    *(__half2 *)&out[t] = __hadd2(v, v);
  }
}
