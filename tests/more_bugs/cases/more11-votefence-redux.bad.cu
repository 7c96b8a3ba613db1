// __reduce_or_sync as a fence for global memory.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *tmp) {
  unsigned t = threadIdx.x;
  tmp[t] = in[t];  //~ FAULT
  unsigned r = __reduce_or_sync(~0u, t);
  out[t] = tmp[t ^ 7] + r;  //~ FAULT
}
