// Inline PTX sets a register under a predicate only.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r;
  asm("{\n .reg .pred p;\n .reg .u32 q;\n"
      "setp.gt.u32 p, %1, 20;\n"
      "@p add.u32 q, %1, 1;\n"
      "mov.u32 %0, q;\n}" : "=r"(r) : "r"(x));  //~ FAULT
  out[t] = r;  //~ FAULT
}
