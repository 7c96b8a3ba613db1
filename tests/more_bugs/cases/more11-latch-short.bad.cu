// A cuda::latch for one more than arrive.
#include <cuda/latch>
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned char mem[sizeof(cuda::latch<cuda::thread_scope_block>)];
  auto *l = (cuda::latch<cuda::thread_scope_block> *)mem;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, n = 64;
  n += 1;
  if (t == 0) new (l) cuda::latch<cuda::thread_scope_block>(n);
  __syncthreads();
  s[t] = in[t];
  l->arrive_and_wait();  //~ FAULT
  out[t] = s[63 - t];
}
