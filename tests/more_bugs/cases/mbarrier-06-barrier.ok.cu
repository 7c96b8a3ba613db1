#include <cuda/barrier>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    s[t] = in[t] + i;
    bar.arrive_and_wait();
    out[t] += s[63 - t];
    bar.arrive_and_wait();
  }
}
