__device__ unsigned drain(unsigned x, unsigned m) {
  unsigned r = 0;
  for (;;) {
    unsigned next = __ballot_sync(m, x != 0);
    if (next == 0) break;
    if (x) x >>= 1;
    r += __popc(next);
  }
  return r;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) { out[threadIdx.x] = drain(in[threadIdx.x], ~0u); }
