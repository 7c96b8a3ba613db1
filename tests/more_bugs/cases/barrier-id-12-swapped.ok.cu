template <class T> __device__ void first_then(T a, T b) {
  asm volatile("barrier.sync %0, 64;" :: "r"(a) : "memory");
  asm volatile("barrier.sync %0, 64;" :: "r"(b) : "memory");
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  if (t < 32) first_then(1, 2); else first_then(1, 2);
  out[t] = in[t];
}
