extern "C" __global__ void k(unsigned *out) {
  unsigned t = threadIdx.x, sum = 0, last = 0;
#pragma unroll 1
  for (unsigned i = 0; i < 4; ++i) {
    unsigned v;
    asm volatile(
        "{\n .reg .pred p;\n setp.eq.u32 p, %2, 0;\n @p mov.b32 %1, %3;\n mov.b32 %0, %1;\n}"
        : "=r"(v), "+r"(last) : "r"(i), "r"(t));
    sum += v;
  }
  out[t] = sum;
}
