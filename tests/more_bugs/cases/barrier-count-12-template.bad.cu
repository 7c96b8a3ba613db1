template <int Id, int N> __device__ void group_sync() { asm volatile("bar.sync %0, %1;" :: "n"(Id), "n"(N) : "memory"); }  //~ FAULT barrier-count
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 64) { group_sync<2, 96>(); s[t] += t; }  //~ FAULT barrier-count
  out[t] = s[t];
}
