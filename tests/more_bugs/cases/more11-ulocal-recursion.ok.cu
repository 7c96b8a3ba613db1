__device__ __noinline__ unsigned down(unsigned n, unsigned *up) {
  unsigned mine[3];
  if (n == 0) { up[0] = 1; up[1] = 2; return 1; }
  mine[2] = 0;
  unsigned r = down(n - 1, mine);
  up[0] = mine[0]; up[1] = mine[1];
  up[2] = 0;
  return r + mine[2];
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, top[3];
  out[t] = down(in[t] + 1, top);
}
