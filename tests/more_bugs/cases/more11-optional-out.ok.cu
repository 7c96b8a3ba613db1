// An out-parameter in local memory that is used only where it was set.
__device__ __noinline__ bool parse(unsigned x, unsigned *v, unsigned short *w) { if (x % 3 == 0) return false; *v = x / 3; *w = x; return true; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v, r = 0;
  unsigned short w[3];
  for (int i = 0; i < 3; ++i) if (parse(in[t] + i, &v, &w[i])) r += v + w[i];
  out[t] = r;
}
