// A lambda with a barrier, called for the threads that hold work.
template <class F> __device__ __noinline__ void work(unsigned n, F f) { for (unsigned i = 0; i < n; ++i) f(i); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned n = t < 40 ? 2 : 1;
  work(n, [&](unsigned i) {
    s[t] = x + i;
    __syncthreads();  //~ FAULT
    r += s[t ^ 1];
    __syncthreads();  //~ FAULT
  });
  out[t] = r;
}
