#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x, b = blockIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;\n fence.mbarrier_init.release.cluster;" :: "r"(at(&bar)) : "memory");
  cg::this_cluster().sync();
  asm volatile("{.reg .b32 r;\n mapa.shared::cluster.u32 r, %0, %1;\n mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];}" :: "r"(at(&bar)), "r"(b ^ 1) : "memory");
  asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(at(&bar)) : "memory");
  out[b * 32 + t] = in[t];
  cg::this_cluster().sync();
}
