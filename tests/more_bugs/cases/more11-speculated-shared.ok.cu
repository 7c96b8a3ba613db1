// Thread 0 keeps a count in shared memory for itself.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned mine;
  unsigned t = threadIdx.x, x = in[t];
  if (t == 0) mine = x;
  unsigned r = x + 5;
  if (t == 0) r = mine * 3;
  out[t] = r;
}
