// The temporary storage of a BlockScan is used again at once for a BlockReduce.
#include <cub/cub.cuh>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  using Scan = cub::BlockScan<unsigned, 128>;
  using Red = cub::BlockReduce<unsigned, 128>;
  __shared__ union { typename Scan::TempStorage scan; typename Red::TempStorage red; } tmp;
  unsigned t = threadIdx.x, x = in[t], s;
  Scan(tmp.scan).ExclusiveSum(x, s);  //~ FAULT
  unsigned r = Red(tmp.red).Sum(x);  //~ FAULT
  out[t] = s + (t ? 0 : r);
}
