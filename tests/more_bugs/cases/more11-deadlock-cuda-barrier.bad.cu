// cuda::barrier for all threads; those with a zero do not arrive.
#include <cuda/barrier>
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, x = in[t];
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = x;
  if (x % 5)
  bar.arrive_and_wait();  //~ FAULT
  out[t] = s[t];
}
