// arrive and wait apart, the last pair relaxed: it only keeps the memory alive.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x, b = blockIdx.x, v;
  s[t] = in[b * 32 + t];
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  unsigned mine = in[b * 32 + 31 - t];
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  asm volatile("{.reg .b32 r;\n mapa.shared::cluster.u32 r, %1, %2;\n ld.shared::cluster.u32 %0, [r];}" : "=r"(v) : "r"(at(s + (t ^ 3))), "r"(b ^ 1) : "memory");
  out[b * 32 + t] = v + mine;
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}
