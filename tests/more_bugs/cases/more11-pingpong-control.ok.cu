// A box is filled again once its reader has said so; control alone orders the write behind the look at the flag.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned turn;
  __shared__ unsigned box;
  unsigned t = threadIdx.x;
  if (t == 0) turn = 0;
  __syncthreads();
  if (t == 0) {
    for (unsigned i = 0; i < 4; ++i) {
      while (turn != 2 * i) {}
      box = in[i]; __threadfence_block();
      turn = 2 * i + 1;
    }
  } else if (t == 32) {
    unsigned s = 0;
    for (unsigned i = 0; i < 4; ++i) {
      while (turn != 2 * i + 1) {}
      __threadfence_block();
      s += box; __threadfence_block();
      turn = 2 * i + 2;
    }
    out[0] = s;
  }
}
