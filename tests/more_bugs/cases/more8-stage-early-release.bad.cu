#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
// Two stages: the consumer hands a stage back before it has read it.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned stage[2][32];
  __shared__ barrier full[2], empty[2];
  unsigned t = threadIdx.x, lane = t % 32;
  if (t < 2) { init(&full[t], 64); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < 4; ++i) {
      if (i >= 2) empty[i % 2].arrive_and_wait();
      stage[i % 2][lane] = in[(i * 16 + lane) % 64];  //~ FAULT race-block
      (void)full[i % 2].arrive();
    }
  } else {
    unsigned sum = 0;
    for (int i = 0; i < 4; ++i) {
      full[i % 2].arrive_and_wait();
      if (i < 2) (void)empty[i % 2].arrive();
      sum += stage[i % 2][31 - lane];  //~ FAULT race-block
    }
    out[lane] = sum;
  }
}
