// One arrival per warp, initialised for one per thread.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
template <int N> struct Gate {
  unsigned long long b;
  __device__ void init() { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(&b)), "r"(N) : "memory"); }
  __device__ void come() { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(&b)) : "memory"); }
  __device__ void wait(unsigned ph) { asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;}" :: "r"(at(&b)), "r"(ph) : "memory"); }  //~ FAULT
};
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Gate<96> gate;
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  if (t == 0) gate.init();
  __syncthreads();
  s[t] = in[t];
  __syncwarp();
  if (t % 32 == 0) gate.come();
  gate.wait(0);  //~ FAULT
  out[t] = s[95 - t];
}
