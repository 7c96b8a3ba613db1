#include <cuda/barrier>
using B = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 32);
  __syncthreads();
  s[t] = in[t];  //~ FAULT race-block
  bar.arrive_and_wait();  //~ FAULT mbarrier-count
  out[t] = s[63 - t];  //~ FAULT race-block
}
