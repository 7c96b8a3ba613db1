#include <cuda/barrier>
using B = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar;
  unsigned t = threadIdx.x;
  if (t == 40) init(&bar, 64);
  __syncthreads();
  bar.arrive_and_wait();
  out[t] = in[t];
}
