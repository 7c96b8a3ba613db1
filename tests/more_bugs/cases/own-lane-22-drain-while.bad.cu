__device__ unsigned serve(unsigned todo, unsigned key, unsigned lane) {
  unsigned lead = 31 - __clz(todo);
  unsigned lk = __shfl_sync(todo, key, lead);  //~ FAULT own-lane
  return __ballot_sync(todo, lk == key);  //~ FAULT own-lane
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, key = in[lane], r = 0, todo = ~0u, n = 0;
  do {
    unsigned same = serve(todo, key, lane);
    if (same >> lane & 1) r = ++n; else ++n;
    todo ^= same;
  } while (todo);
  out[lane] = r;
}
