#include <cuda/barrier>
using B = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar[2];
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t % 32 == 0) init(&bar[t / 32], 32);
  __syncwarp();
  s[t] = in[t];
  bar[t / 32].arrive_and_wait();
  out[t] = s[t ^ 31];
}
