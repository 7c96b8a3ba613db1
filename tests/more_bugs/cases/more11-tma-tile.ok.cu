// A bulk copy in, work, a bulk copy out; fences where they belong; the barrier used for two phases and invalidated.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(128) unsigned s[64];
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" :: "r"(at(&bar)) : "memory");
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    if (t == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" :: "r"(at(&bar)) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(at(s)), "l"(in), "r"(at(&bar)) : "memory");
    }
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;}" :: "r"(at(&bar)), "r"(i) : "memory");
    unsigned v = s[63 - t];
    __syncthreads();
    s[t] = v + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\n cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;\n fence.proxy.async.shared::cta;" :: "l"(out), "r"(at(s)) : "memory");
    __syncthreads();
  }
  if (t == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" :: "r"(at(&bar)) : "memory");
  __syncthreads();
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" :: "r"(at(&bar)) : "memory");
  __syncthreads();
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(&bar)) : "memory");
}
