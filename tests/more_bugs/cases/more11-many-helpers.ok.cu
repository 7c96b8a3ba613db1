// Many functions that are not inlined, each with an array, called through a table.
#define H(n) __device__ __noinline__ unsigned h##n(unsigned x) { unsigned a[8]; for (unsigned i = 0; i < 8; ++i) a[i] = x * i + n; return a[x % 8]; }
H(0) H(1) H(2) H(3) H(4) H(5) H(6) H(7) H(8) H(9)
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned (*f[10])(unsigned) = {h0, h1, h2, h3, h4, h5, h6, h7, h8, h9};
  unsigned t = threadIdx.x, s = 0;
  for (unsigned i = 0; i < 10; ++i) s += f[(i + in[t]) % 10](in[t] + i);
  out[t] = s;
}
