extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t] % 3, todo = ~0u, r = 0;
  bool done = false;
  while (!done) {
    unsigned lead = __ffs(todo) - 1;
    unsigned key = __shfl_sync(todo, x, lead);
    unsigned same = __ballot_sync(todo, x == key);
    if (x == key) { r = __popc(same); done = true; }
    todo &= ~same;
  }
  out[t] = r;
}
