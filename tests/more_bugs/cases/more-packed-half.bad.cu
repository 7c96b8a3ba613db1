#include <cuda_fp16.h>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned short s[64];
  unsigned t = threadIdx.x;
  s[2 * t] = in[t];
  __syncwarp();
  out[t] = ((unsigned *)s)[t] + 1; //~ FAULT uninit-shared
}
