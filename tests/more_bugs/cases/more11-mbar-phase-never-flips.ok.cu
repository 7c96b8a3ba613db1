__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __noinline__ void wait(unsigned b, unsigned ph) { asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;}" :: "r"(b), "r"(ph) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[96];
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x, acc = 0;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" :: "r"(at(&bar)) : "memory");
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (t == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 384;" :: "r"(at(&bar)) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 384, [%2];" :: "r"(at(s)), "l"(in + 96 * i), "r"(at(&bar)) : "memory");
    }
    wait(at(&bar), i & 1);
    acc += s[95 - t];
    __syncthreads();
  }
  out[t] = acc;
}
