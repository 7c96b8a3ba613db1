// Inline PTX: operand c made from a width of five.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned w) {
  unsigned t = threadIdx.x, x = in[t], r;
  unsigned c = ((32 - w) << 8) | 31;
  asm volatile("shfl.sync.idx.b32 %0, %1, 0, %2, 0xffffffff;" : "=r"(r) : "r"(x), "r"(c));  //~ FAULT
  out[t] = r;
}
