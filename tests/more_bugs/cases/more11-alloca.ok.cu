// A variable-length stack array, and a fixed one beside it.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = in[t] % 7 + 1, fix[5];
  unsigned *v = (unsigned *)__builtin_alloca(n * 4);
  for (unsigned i = 0; i < n; ++i) v[i] = i * t;
  for (unsigned i = 0; i < 5; ++i) fix[i] = v[i % n] + i;
  out[t] = fix[in[t] % 5] + v[n - 1];
}
