#include <cuda/barrier>
using B = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = in[t];
  if (t >= 50) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  unsigned v = s[(t * 7) % 50];
  bar.arrive_and_wait();
  out[t] = v;
}
