// The mask is taken before the branch and used in it.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned m = __activemask();  //~ FAULT activemask
  if (x > 30) r = __reduce_max_sync(m, x);  //~ FAULT
  __syncwarp();
  out[t] = r;
}
