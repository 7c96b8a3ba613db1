#include <cuda/barrier>
using B = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 64);  //~ FAULT mbarrier-init
  __syncwarp();
  s[t] = in[t];
  bar.arrive_and_wait();  //~ FAULT mbarrier-init
  out[t] = s[63 - t];
}
