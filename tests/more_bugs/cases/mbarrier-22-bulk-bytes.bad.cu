__device__ unsigned addr(const void *p) { return __cvta_generic_to_shared(p); }
template <int Bytes> __device__ void expect(unsigned long long *b) { asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" :: "r"(addr(b)), "n"(Bytes) : "memory"); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[32];
  __shared__ unsigned long long bar;
  unsigned t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(addr(&bar)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    expect<256>(&bar);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" :: "r"(addr(s)), "l"(in), "r"(addr(&bar)) : "memory");
  }
  __syncwarp();
  asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }" :: "r"(addr(&bar)) : "memory");  //~ FAULT mbarrier-count
  out[t] = s[31 - t];
}
