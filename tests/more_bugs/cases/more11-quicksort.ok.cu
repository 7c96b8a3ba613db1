// Recursion with pointers into a local array.
__device__ __noinline__ void swap(int &a, int &b) { int c = a; a = b; b = c; }
__device__ __noinline__ void sort(int *a, int lo, int hi) {
  if (lo >= hi) return;
  int p = a[(lo + hi) / 2], i = lo, j = hi, keep[4] = {lo, hi, p, 0};
  while (i <= j) {
    while (a[i] < p) ++i;
    while (a[j] > p) --j;
    if (i <= j) { swap(a[i], a[j]); keep[3] += i; ++i; --j; }
  }
  sort(a, keep[0], j);
  sort(a, i, keep[1]);
}
extern "C" __global__ void k(int *out, const int *in) {
  int a[8], t = threadIdx.x;
  for (int i = 0; i < 8; ++i) a[i] = in[t * 8 + i];
  sort(a, 0, 7);
  for (int i = 0; i < 8; ++i) out[t * 8 + i] = a[i];
}
