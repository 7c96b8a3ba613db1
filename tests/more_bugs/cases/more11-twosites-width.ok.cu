extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  bool all = __all_sync(~0u, x > 3), any = __any_sync(~0u, x > 3), uni = __uni_sync(~0u, x > 3);
  switch (t % 3) {
    case 0: r = all; break;
    case 1: r = any; break;
    default: r = uni;
  }
  out[t] = r;
}
