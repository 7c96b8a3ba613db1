#define ADDR(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(ADDR(b)), "r"(n) : "memory")
#define ARRIVE(b) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(ADDR(b)) : "memory")
#define TEST(ok, b, ph) asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(ADDR(b)), "r"(ph) : "memory")
#define WAIT(b, ph) do { unsigned ok; do { TEST(ok, b, ph); } while (!ok); } while (0)
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned long long full[2], empty[2];
  __shared__ unsigned s[2][32];
  unsigned w = threadIdx.x / 32, l = threadIdx.x % 32, acc = 0;
  if (threadIdx.x == 0) for (int i = 0; i < 2; ++i) { INIT(&full[i], 32u); INIT(&empty[i], 32u); }
  __syncthreads();
  if (w == 0) {
    for (int r = 0; r < 6; ++r) {
      int b = r & 1;
      WAIT(&empty[b], ((r >> 1) & 1) ^ 1);
      s[b][l] = in[32 * r + l]; //~ FAULT
      ARRIVE(&full[b]); //~ FAULT
    }
  } else {
    for (int r = 0; r < 6; ++r) {
      int b = r & 1;
      WAIT(&full[b], (r >> 1) & 1); //~ FAULT
      acc = acc * 3 + s[b][31 - l]; //~ FAULT
      ARRIVE(&empty[b]);
    }
    out[l] = acc;
  }
}
