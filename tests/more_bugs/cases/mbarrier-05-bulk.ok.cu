#define ADDR(p) ((unsigned)__cvta_generic_to_shared(p))
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned long long bar;
  __shared__ __align__(16) unsigned s[32];
  unsigned t = threadIdx.x, ok;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(ADDR(&bar)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (t == 0) {
    asm volatile("{ .reg .b64 q; mbarrier.arrive.expect_tx.shared.b64 q, [%0], 128; }" :: "r"(ADDR(&bar)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" :: "r"(ADDR(s)), "l"(in), "r"(ADDR(&bar)) : "memory");
  }
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(ADDR(&bar)) : "memory"); while (!ok);
  out[t] = s[31 - t];
}
