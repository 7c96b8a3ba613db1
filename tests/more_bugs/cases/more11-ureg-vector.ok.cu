extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  asm volatile("{\n .reg .u32 a, b, c, d;\n"
      "mov.u32 a, %1; add.u32 b, a, 1; add.u32 c, b, 1;\n"
      "add.u32 d, c, 1;\n"
      "st.global.v4.u32 [%0], {a, b, c, d};\n}" :: "l"(out + t * 4), "r"(x) : "memory");
}
