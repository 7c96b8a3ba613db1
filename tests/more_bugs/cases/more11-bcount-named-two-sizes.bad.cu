// Consumer groups of two and three warps wait at one named barrier with different counts.
template <int ID, int N> __device__ void named() { asm volatile("bar.sync %0, %1;" :: "n"(ID), "n"(N) : "memory"); }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[192];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 64) named<1, 64>();
  else if (t < 160) named<1, 96>();
  out[t] = t < 64 ? s[63 - t] : t < 160 ? s[223 - t] : t;
}
