// A bulk copy from shared memory to that of the neighbour, counted by the neighbour's mbarrier.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ __align__(128) unsigned a[32], s[32];
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x, b = blockIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" :: "r"(at(&bar)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" :: "r"(at(&bar)) : "memory");
  }
  a[t] = in[b * 32 + t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  if (t == 0)
    asm volatile("{.reg .b32 r, m;\n mapa.shared::cluster.u32 r, %0, %3;\n mapa.shared::cluster.u32 m, %1, %3;\n cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [r], [%2], 128, [m];}" :: "r"(at(s)), "r"(at(&bar)), "r"(at(a)), "r"(b ^ 1) : "memory");
  asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(at(&bar)) : "memory");
  out[b * 32 + t] = s[31 - t];
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}
