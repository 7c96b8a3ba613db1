// One producer warp with bulk copies, two consumer warps, a ring of two with full and empty barriers.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned long long *b, unsigned ph) { asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;}" :: "r"(at(b)), "r"(ph) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(128) unsigned s[2][64];
  __shared__ __align__(8) unsigned long long full[2], empty[2];
  unsigned t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(full + i)) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" :: "r"(at(empty + i)) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (t >= 64) {
    if (t == 64)
      for (int i = 0; i < 8; ++i) {
        int st = i & 1, ph = i >> 1 & 1;
        wait(empty + st, ph ^ 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" :: "r"(at(full + st)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(at(s[st])), "l"(in + 64 * i), "r"(at(full + st)) : "memory");
      }
  } else {
    unsigned acc = 0;
    for (int i = 0; i < 8; ++i) {
      int st = i & 1, ph = i >> 1 & 1;
      wait(full + st, ph);
      acc += s[st][63 - t];
      __syncwarp();
      if (t % 32 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(empty + st)) : "memory");
    }
    if (t < 32) out[t] = acc;
  }
}
