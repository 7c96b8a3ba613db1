// Three fields are written by two functions; one forgets the third.
struct P { float x, y; unsigned n; };
__device__ __noinline__ void place(P *p, float x) { p->x = x; p->y = x * 2; }
extern "C" __global__ void k(unsigned *out, const unsigned *in, P *p) {
  unsigned t = threadIdx.x;
  place(p + t, in[t]);
  out[t] = p[t].n + (unsigned)p[t].x;  //~ FAULT
}
