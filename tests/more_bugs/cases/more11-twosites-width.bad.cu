// A vote of another kind in each case of a switch.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  switch (t % 3) {
    case 0: r = __all_sync(~0u, x > 3); break;  //~ FAULT
    case 1: r = __any_sync(~0u, x > 3); break;  //~ FAULT
    default: r = __uni_sync(~0u, x > 3);  //~ FAULT
  }
  out[t] = r;
}
