extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v;
  asm volatile("{\n .reg .pred p;\n .reg .b32 n, last;\n mov.b32 n, %1;\n mov.b32 last, 0;\nL:\n setp.eq.u32 p, n, 0;\n @p bra D;\n mul.lo.u32 last, n, 3;\n sub.u32 n, n, 1;\n bra L;\nD:\n mov.b32 %0, last;\n}" : "=r"(v) : "r"(in[t]));
  out[t] = v;
}
