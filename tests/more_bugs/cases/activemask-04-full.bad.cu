extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = x;
  if (__activemask() == 0xffffffffu)  //~ FAULT activemask
    r = x * 2;
  out[t] = r;
}
