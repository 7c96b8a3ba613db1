// Ping-pong by flags in shared memory whose last word is never given.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned turn;
  __shared__ unsigned box;
  unsigned t = threadIdx.x, n = 4;
  if (t == 0) turn = 0;
  __syncthreads();
  if (t == 0) {
    for (unsigned i = 0; i < n; ++i) {
      while (turn != 2 * i) {}
      box = in[i]; __threadfence_block();
      turn = 2 * i + 1;
    }
  } else if (t == 32) {
    unsigned s = 0;
    unsigned m = n + 1;
    for (unsigned i = 0; i < m; ++i) {
      while (turn != 2 * i + 1) {}  //~ FAULT
      __threadfence_block();
      s += box; __threadfence_block();
      turn = 2 * i + 2;
    }
    out[0] = s;
  }
}
