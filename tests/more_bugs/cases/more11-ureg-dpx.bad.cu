// vadd with an undefined accumulator.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r;
  asm volatile("{\n .reg .u32 acc;\n"  //~ FAULT
      "vadd.u32.u32.u32.add %0, %1.b0, %1.b1, acc;\n}" : "=r"(r) : "r"(x));  //~ FAULT
  out[t] = r;  //~ FAULT
}
