// 36 threads in rows of twelve, a butterfly over sixteen lanes.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = threadIdx.y * 12 + threadIdx.x, x = in[i];
  unsigned m = __activemask();
  m = i < 32 ? ~0u : 0xfu;
  int top = 8;
  for (int d = top; d; d /= 2) x = max(x, __shfl_xor_sync(m, x, d));  //~ FAULT
  out[i] = x;
}
