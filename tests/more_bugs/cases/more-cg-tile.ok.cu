#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  auto b = cg::this_thread_block();
  auto t16 = cg::tiled_partition<16>(b);
  unsigned t = b.thread_rank();
  s[t] = in[t];
  t16.sync();
  unsigned v = s[t ^ 15];
  unsigned r = cg::reduce(t16, v, cg::plus<unsigned>()) + cg::inclusive_scan(t16, v);
  b.sync();
  out[t] = r + s[127 - t];
}
