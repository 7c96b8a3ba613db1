#define FULL 0xffffffffu
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, row = threadIdx.y, s = 0;
  for (unsigned i = 0; i < 2; ++i) {
    unsigned x = in[(row * 2 + i) * 32 + lane];
    if (x < 3) continue;
    s += __reduce_add_sync(FULL, x);  //~ FAULT absent-lane
  }
  __syncthreads();
  out[row * 32 + lane] = s;
}
