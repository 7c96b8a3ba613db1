// expect_tx of the whole before the loop that copies all but the last row.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[3][32];
  __shared__ __align__(8) unsigned long long bar;
  unsigned t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" :: "r"(at(&bar)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 384;" :: "r"(at(&bar)) : "memory");  //~ FAULT
    int n = 2;
    for (int i = 0; i < n; ++i)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" :: "r"(at(s[i])), "l"(in + 32 * i), "r"(at(&bar)) : "memory");
  }
  __syncwarp();
  asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;}" :: "r"(at(&bar)) : "memory");  //~ FAULT
  out[t] = s[0][t] + s[1][31 - t];
}
