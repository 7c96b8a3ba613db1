__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned box[32];
  __shared__ __align__(8) unsigned long long full, empty;
  unsigned t = threadIdx.x, b = blockIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;\n mbarrier.init.shared::cta.b64 [%1], 32;\n fence.mbarrier_init.release.cluster;" :: "r"(at(&full)), "r"(at(&empty)) : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  if (b == 0) {
    asm volatile("{.reg .b32 r, m;\n mapa.shared::cluster.u32 r, %0, 1;\n mapa.shared::cluster.u32 m, %1, 1;\n st.shared::cluster.u32 [r], %2;\n mbarrier.arrive.release.cluster.shared::cluster.b64 _, [m];}" :: "r"(at(box + t)), "r"(at(&full)), "r"(in[t]) : "memory");
  } else {
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(at(&full)) : "memory");
    out[t] = box[31 - t];
    asm volatile("{.reg .b32 m;\n mapa.shared::cluster.u32 m, %0, 0;\n mbarrier.arrive.release.cluster.shared::cluster.b64 _, [m];}" :: "r"(at(&empty)) : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}
