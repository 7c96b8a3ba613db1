// A mask that shrinks by half each round, while all lanes go on.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, lane = t & 31, x = in[t];
  for (unsigned w = 16, m = 0xffffffffu; w; w >>= 1, m = (1u << (2 * w)) - 1) {
    x += __shfl_down_sync(m, x, w);  //~ FAULT
  }
  if (lane == 0) out[t / 32] = x;
}
