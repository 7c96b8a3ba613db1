extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned want[2], turn;
  __shared__ unsigned sum;
  unsigned t = threadIdx.x, w = t / 32;
  if (t == 0) { want[0] = want[1] = turn = sum = 0; }
  __syncthreads();
  if (t % 32 == 0) {
    want[w] = 1;
    turn = 1 - w;
    __threadfence_block();
    while (want[1 - w] && turn == 1 - w) {}
    __threadfence_block();
    sum += in[w];
    __threadfence_block();
    want[w] = 0;
  }
  __syncthreads();
  if (t == 0) out[0] = sum;
}
