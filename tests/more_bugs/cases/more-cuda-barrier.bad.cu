#include <cuda/barrier>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  unsigned acc = 0;
  for (int r = 0; r < 3; ++r) {
    s[t] = in[64 * r + t]; //~ FAULT race-block
    bar.arrive_and_wait();
    acc = acc * 5 + s[63 - t]; //~ FAULT race-block
  }
  out[t] = acc;
}
