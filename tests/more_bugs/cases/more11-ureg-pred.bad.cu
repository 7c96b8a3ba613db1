// A predicate that is set in one branch and tested after it.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  asm volatile("{\n .reg .pred p, q;\n"
      "setp.gt.u32 q, %1, 40;\n"
      "@!q bra L1;\n"
      "setp.lt.u32 p, %1, 50;\n"
      "L1:\n"
      "@p mov.u32 %0, 7;\n}" : "+r"(r) : "r"(x));  //~ FAULT
  out[t] = r;  //~ FAULT
}
