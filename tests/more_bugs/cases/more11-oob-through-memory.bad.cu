// A pointer kept in a structure runs past the end of a local array.
struct Cur { unsigned *p; unsigned n; };
__device__ __noinline__ void put(Cur *c, unsigned v) { *c->p++ = v; c->n++; }  //~ FAULT
__device__ __noinline__ unsigned sum(const unsigned *a, unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; ++i) s += a[i]; return s; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, a[6];
  Cur c = {a, 0};
  unsigned n = in[t] % 4 + 4;
  for (unsigned i = 0; i < n; ++i) put(&c, in[t] + i);
  out[t] = sum(a, c.n < 6 ? c.n : 6);
}
