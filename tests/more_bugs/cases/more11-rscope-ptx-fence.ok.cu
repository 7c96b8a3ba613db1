extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, unsigned *flag) {
  unsigned v;
  if (blockIdx.x == 0) {
    *data = in[3];
    asm volatile("fence.acq_rel.gpu; st.relaxed.gpu.u32 [%0], 1;" :: "l"(flag) : "memory");
  } else {
    do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory"); while (!v);
    *out = *data;
  }
}
