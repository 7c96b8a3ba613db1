#include <cuda/barrier>
#include <cuda/std/utility>
using B = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = in[t];
  bar.arrive_and_wait();  //~ FAULT mbarrier-phase
  unsigned v = s[63 - t];  //~ FAULT race-block
  (void)bar.arrive();
  bar.wait_parity(false);  //~ FAULT mbarrier-phase
  s[t] = v + 1;  //~ FAULT race-block
  bar.arrive_and_wait();  //~ FAULT mbarrier-phase
  out[t] = s[63 - t];
}
