template <int Id, int N> __device__ void group_sync() { asm volatile("bar.sync %0, %1;" :: "n"(Id), "n"(N) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 64) { group_sync<2, 64>(); s[t] += t; }
  out[t] = s[t];
}
