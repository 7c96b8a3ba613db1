struct P { float x, y; unsigned n; };
__device__ __noinline__ void place(P *p, float x) { p->x = x; p->y = x * 2; }
extern "C" __global__ void k(unsigned *out, const unsigned *in, P *p) {
  unsigned t = threadIdx.x;
  place(p + t, in[t]);
  p[t].n = 4;
  out[t] = p[t].n + (unsigned)p[t].x;
}
