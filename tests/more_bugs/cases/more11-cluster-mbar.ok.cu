// st.async to the other block, completion on its mbarrier.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[32];
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x, b = blockIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" :: "r"(at(&bar)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" :: "r"(at(&bar)) : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("{.reg .b32 r, m;\n mapa.shared::cluster.u32 r, %0, %2;\n mapa.shared::cluster.u32 m, %1, %2;\n st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [r], %3, [m];}" :: "r"(at(s + t)), "r"(at(&bar)), "r"(b ^ 1), "r"(in[b * 32 + t]) : "memory");
  asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(at(&bar)) : "memory");
  out[b * 32 + t] = s[31 - t];
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}
