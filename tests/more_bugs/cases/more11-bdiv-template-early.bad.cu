// A template with an early return between two barriers, 50 threads.
template <int N> __device__ void stage(unsigned *s, unsigned t, unsigned x, unsigned n) {
  s[t] = x;
  if (N == 2 && t >= n) return;
  __syncthreads();  //~ FAULT
}
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned a[64], b[64];
  unsigned t = threadIdx.x;
  stage<1>(a, t, in[t], n);
  stage<2>(b, t, a[49 - t], n);
  out[t] = b[t];
}
