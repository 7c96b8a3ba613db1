__device__ __noinline__ const unsigned *find(const unsigned *p, unsigned i) { return i == 5 ? nullptr : p + i; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  const unsigned *p = find(in, in[t]);
  out[t] = p ? *p : 0;
}
