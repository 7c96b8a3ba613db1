#include <cuda/barrier>
#include <cuda/std/utility>
using B = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ B bar;
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 32);
  __syncwarp();
  auto first = bar.arrive();
  bar.wait(cuda::std::move(first));
  auto second = bar.arrive();
  unsigned long long keep = *(unsigned long long *)&second;
  bar.wait(cuda::std::move(second));
  s[t] = in[t];
  auto third = bar.arrive();
  bar.wait(cuda::std::move(third));
  out[t] = s[31 - t];
}
