__device__ bool is_leader() { return (threadIdx.x & 31) == __ffs(__activemask()) - 1; }  //~ FAULT activemask
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  if (x & 1) r = is_leader();
  out[t] = r;
}
