extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, v = in[lane], r = 0;
  switch (v) {
    case 0: r = __ballot_sync(~0u, lane & 1); break;  //~ FAULT absent-lane
    case 1: r = __shfl_sync(~0u, lane, 1); break;  //~ FAULT absent-lane
    default: r = __reduce_max_sync(~0u, lane); break;  //~ FAULT absent-lane
  }
  out[lane] = r;
}
