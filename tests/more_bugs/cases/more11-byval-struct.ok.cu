// Large structures by value to and from functions that are not inlined, one of them through a pointer.
struct Big { unsigned a[9]; unsigned char tail[3]; };
__device__ __noinline__ Big make(unsigned x) { Big b; for (int i = 0; i < 9; ++i) b.a[i] = x + i; b.tail[0] = x; b.tail[1] = 1; b.tail[2] = 2; return b; }
__device__ __noinline__ unsigned sum(Big b, unsigned k) { b.a[k % 9] += 5; unsigned s = 0; for (int i = 0; i < 9; ++i) s += b.a[i]; return s + b.tail[k % 3]; }
__device__ __noinline__ unsigned other(Big b, unsigned k) { return b.a[(k * 3) % 9] + b.tail[(k + 1) % 3]; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  Big b = make(x);
  unsigned (*f)(Big, unsigned) = x & 1 ? sum : other;
  out[t] = f(b, t) + sum(b, x);
}
