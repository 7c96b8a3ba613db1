// Only the blocks with work come to the grid's barrier.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, unsigned *part, const unsigned *in) {
  __shared__ unsigned flag;
  unsigned b = blockIdx.x, t = threadIdx.x;
  unsigned arrived = 0;
  part[b * 32 + t] = in[t] + b;
  __threadfence();
  __syncthreads();
  if (b != 2) {
    if (t == 0) {
      arrived = atomicAdd(&part[160], 1) + 1;
      while (((volatile unsigned *)part)[160] < 4) ;  //~ FAULT deadlock
      flag = arrived;
    }
    __syncthreads();
    __threadfence();
  }
  out[b * 32 + t] = part[((b + 1) % 4) * 32 + t];
}
