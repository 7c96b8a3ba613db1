extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, r = 0;
  unsigned m = __match_any_sync(0xffffffffu, in[t] & 1);
  switch (in[t]) {
    case 0: r = __reduce_max_sync(m, t); break;  //~ FAULT absent-lane
    case 1: r = __reduce_min_sync(m, t); break;
    case 2: r = __reduce_or_sync(m, t); break;  //~ FAULT absent-lane
    default: r = __reduce_min_sync(m, t + 1); break;
  }
  __syncwarp();
  out[t] = r;
}
