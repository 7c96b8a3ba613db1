extern "C" __global__ void k(unsigned *out) {
  unsigned t = threadIdx.x, sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < 4; ++i) {
    unsigned v;
    // `last` is new in every round: only the first one sets it.
    asm volatile(
        "{\n .reg .pred p;\n .reg .b32 last;\n setp.eq.u32 p, %1, 0;\n @p mov.b32 last, %2;\n mov.b32 %0, last;\n}"  //~ FAULT uninit-reg
        : "=r"(v) : "r"(i), "r"(t));  //~ FAULT uninit-reg
    sum += v;  //~ FAULT uninit-reg
  }
  out[t] = sum;  //~ FAULT uninit-reg
}
