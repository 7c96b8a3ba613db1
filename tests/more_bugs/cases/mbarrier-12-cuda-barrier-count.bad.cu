#include <cuda/barrier>
using B = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar;
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (t < 64) { s[t] = in[t]; bar.arrive_and_wait(); out[t] = s[63 - t]; }  //~ FAULT mbarrier-count
}
