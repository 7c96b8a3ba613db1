extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, unsigned *flag) {
  if (threadIdx.x) return;
  unsigned v;
  if (blockIdx.x == 0) {
    *data = in[0];
    asm volatile("st.release.gpu.global.u32 [%0], 1;" :: "l"(flag) : "memory");
  } else {
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory"); while (!v);
    *out = *data;
  }
}
