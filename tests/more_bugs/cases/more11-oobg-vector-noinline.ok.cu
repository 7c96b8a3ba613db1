__device__ __noinline__ uint4 get(const uint4 *p, unsigned i) { return p[i]; }
extern "C" __global__ void k(uint4 *out, const uint4 *in) {
  unsigned t = threadIdx.x;
  if (t < 7)
  out[t] = get(in, t);
}
