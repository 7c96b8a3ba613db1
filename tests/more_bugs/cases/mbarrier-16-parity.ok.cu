__device__ unsigned addr(const void *p) { return __cvta_generic_to_shared(p); }
struct Mbar {
  unsigned long long b;
  __device__ void init(unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(addr(&b)), "r"(n) : "memory"); }
  __device__ void arrive() { asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(addr(&b)) : "memory"); }
  __device__ void wait(unsigned ph) { asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L; }" :: "r"(addr(&b)), "r"(ph) : "memory"); }
};
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Mbar full, empty;
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x, acc = 0;
  if (t == 0) { full.init(32); empty.init(32); }
  __syncthreads();
  #pragma unroll 1
  for (unsigned r = 0; r < 4; ++r) {
    if (t < 32) {
      if (r > 0) empty.wait((r - 1) & 1);
      s[t] = in[32 * r + t];
      full.arrive();
    } else {
      full.wait(r & 1);
      acc = acc * 3 + s[63 - t];
      empty.arrive();
    }
  }
  out[t] = acc;
}
