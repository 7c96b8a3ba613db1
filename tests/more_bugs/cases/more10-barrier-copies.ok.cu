// Tiles of a cluster exchange with mbarriers of the library; bytes are picked from packed words.
#include <cuda/barrier>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[2][64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar[2];
  auto block = cg::this_thread_block();
  unsigned t = threadIdx.x, sum = 0;
  if (t == 0) { init(&bar[0], 64); init(&bar[1], 64); }
  block.sync();
  cuda::memcpy_async(&s[0][t], &in[t], 4, bar[0]);
  for (int i = 0; i < 3; ++i) {
    if (i < 2) cuda::memcpy_async(&s[(i + 1) % 2][t], &in[(t + i) % 64], 4, bar[(i + 1) % 2]);
    bar[i % 2].arrive_and_wait();
    sum += __byte_perm(s[i % 2][63 - t], s[i % 2][t], 0x5140) & 0xffff;
    block.sync();
  }
  out[t] = sum;
}
