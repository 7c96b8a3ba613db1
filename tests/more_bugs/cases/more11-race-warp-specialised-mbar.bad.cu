// The consumer does not give slots back: the producer overwrites what is being read.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned long long *b, unsigned ph) { asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;}" :: "r"(at(b)), "r"(ph) : "memory"); }
__device__ void come(unsigned long long *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(b)) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned long long full[4], empty;
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x, lane = t % 32, acc = 0;
  if (t < 4) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(full + t)) : "memory");
  if (t == 4) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(&empty)) : "memory");
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (t >= 32) {
      s[lane] = in[i * 32 + lane];  //~ FAULT
      come(full + i);
    } else {
      wait(full + i, 0);
      acc += s[31 - lane];  //~ FAULT
      come(&empty);
    }
  }
  if (t < 32) out[t] = acc;
}
