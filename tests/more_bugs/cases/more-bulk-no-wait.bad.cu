#define ADDR(p) ((unsigned)__cvta_generic_to_shared(p))
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ alignas(8) unsigned long long bar;
  __shared__ alignas(16) unsigned s[64];
  unsigned t = threadIdx.x, ok;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(ADDR(&bar)) : "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], 256; }" :: "r"(ADDR(&bar)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(ADDR(s)), "l"(in), "r"(ADDR(&bar)) : "memory"); //~ FAULT async-wait
  }
  __syncthreads();
  out[t] = s[63 - t]; //~ FAULT async-wait
}
