// Initialised in every round of a loop without mbarrier.inval.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x, x = in[t];
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(&bar)) : "memory");  //~ FAULT
    __syncwarp();
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(&bar)) : "memory");
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(at(&bar)) : "memory");
    __syncwarp();
    x += i;
  }
  out[t] = x;
}
