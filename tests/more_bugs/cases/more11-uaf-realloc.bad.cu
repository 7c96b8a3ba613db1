// A vector that grows: an old pointer into it is kept.
struct V { unsigned *p; unsigned n, cap; };
__device__ __noinline__ void push(V &v, unsigned x) {
  if (v.n == v.cap) {
    unsigned *q = (unsigned *)malloc(v.cap * 8);
    for (unsigned i = 0; i < v.n; ++i) q[i] = v.p[i];
    free(v.p);
    v.p = q; v.cap *= 2;
  }
  v.p[v.n++] = x;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  V v = {(unsigned *)malloc(8), 0, 2};
  push(v, in[threadIdx.x]);
  const unsigned *first = v.p;
  for (int i = 1; i < 5; ++i) push(v, in[i]);
  out[threadIdx.x] = *first;  //~ FAULT
  free(v.p);
}
