// The mask of the remaining lanes is computed from the ballot of the round before.
__device__ unsigned drain(unsigned x, unsigned m) {
  unsigned r = 0;
  for (;;) {
    unsigned next = __ballot_sync(m, x != 0);  //~ FAULT
    if (next == 0) break;
    if (x) x >>= 1;
    r += __popc(next);
    m = next;
  }
  return r;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) { out[threadIdx.x] = drain(in[threadIdx.x], ~0u); }  //~ FAULT
