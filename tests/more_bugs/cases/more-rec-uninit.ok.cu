__device__ __noinline__ unsigned walk(const unsigned *in, unsigned d, unsigned t) {
  unsigned loc[3];
  if (d == 0) return in[t];
  loc[0] = walk(in, d - 1, t);
  loc[1] = walk(in, d - 1, t + 1);
  return loc[0] * 3 + loc[1];
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) { out[threadIdx.x] = walk(in, 3, threadIdx.x); }
