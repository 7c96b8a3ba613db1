__device__ __noinline__ unsigned f(const unsigned *p, unsigned n) { unsigned a[8]; for (unsigned i = 0; i < 8; ++i) a[i] = p[i] * n; return a[n % 8] + (n > 3 ? a[(n + 1) % 8] : 0); }
struct P { unsigned a; unsigned char b; unsigned long long c; };
__device__ __noinline__ P g(P p, unsigned x) { p.a += x; p.b ^= x; p.c *= x; return p; }
__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  P p{in[t], (unsigned char)t, in[t] * 3ull};
  p = g(p, t);
  p = g(p, 7);
  out[t] = f(in + t, in[t] % 16) + p.a + p.b + (unsigned)p.c + fib(t % 9);
}
