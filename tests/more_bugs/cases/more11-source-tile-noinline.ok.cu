__device__ __noinline__ unsigned left(unsigned m, unsigned x, unsigned d) { return __shfl_up_sync(m, x, d); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], s = x;
  unsigned m = __ballot_sync(~0u, x % 4);
  if (x % 4) {
    for (unsigned d = 1; d < 32; d *= 2) {
      unsigned y = left(m, s, d);
      if (t >= d && (m >> (t - d) & 1)) s += y;
    }
    out[t] = s;
  }
}
