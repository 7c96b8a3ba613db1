// The reader gives the box back before it has read it.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned turn;
  __shared__ unsigned box;
  unsigned t = threadIdx.x;
  if (t == 0) turn = 0;
  __syncthreads();
  if (t == 0) {
    for (unsigned i = 0; i < 4; ++i) {
      while (turn != 2 * i) {}
      box = in[i];  //~ FAULT
      __threadfence_block();
      turn = 2 * i + 1;
    }
  } else if (t == 32) {
    unsigned s = 0;
    for (unsigned i = 0; i < 4; ++i) {
      while (turn != 2 * i + 1) {}
      __threadfence_block();
      turn = 2 * i + 2;
      s += box;  //~ FAULT
    }
    out[0] = s;
  }
}
