// Two stages with one phase bit that flips every round, not every second one.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned long long *b, unsigned ph) { asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;}" :: "r"(at(b)), "r"(ph) : "memory"); }  //~ FAULT
__device__ void come(unsigned long long *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(b)) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned long long full[2], empty[2];
  __shared__ unsigned s[2][32];
  unsigned t = threadIdx.x, lane = t % 32, acc = 0;
  if (t < 2) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;\n mbarrier.init.shared::cta.b64 [%1], 32;" :: "r"(at(full + t)), "r"(at(empty + t)) : "memory");
  __syncthreads();
  for (int i = 0; i < 8; ++i) {
    int b = i % 2, ph = i / 2 % 2;
    if (t >= 32) {
      wait(&empty[b], ph ^ 1);
      s[b][lane] = in[i * 32 + lane];  //~ FAULT race-block
      come(&full[b]);
    } else {
      wait(&full[b], i % 2);  //~ FAULT
      acc += s[b][31 - lane];  //~ FAULT race-block
      come(&empty[b]);
    }
  }
  if (t < 32) out[t] = acc;
}
