// A heap in a local array, its helpers get pointers into its middle.
__device__ __noinline__ void sift(unsigned *h, unsigned n, unsigned i) {
  for (;;) { unsigned c = 2 * i + 1; if (c >= n) return; if (c + 1 < n && h[c + 1] > h[c]) ++c; if (h[c] <= h[i]) return; unsigned x = h[c]; h[c] = h[i]; h[i] = x; i = c; }
}
__device__ __noinline__ unsigned last(const unsigned *end) { return end[-1]; }
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned m) {
  unsigned t = threadIdx.x, h[12];
  for (unsigned i = 0; i < 12; ++i) h[i] = in[(t + i * m) % 64];
  for (int i = 5; i >= 0; --i) sift(h, 12, i);
  for (unsigned n = 12; n > 1; --n) { unsigned x = h[0]; h[0] = h[n - 1]; h[n - 1] = x; sift(h, n - 1, 0); }
  out[t] = last(h + 12) - h[m];
}
