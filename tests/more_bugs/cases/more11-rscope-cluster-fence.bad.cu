// fence.acq_rel.cluster between blocks that are no cluster.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, unsigned *flag) {
  if (threadIdx.x) return;
  unsigned v;
  if (blockIdx.x == 0) {
    *data = in[0];  //~ FAULT
    asm volatile("st.release.cluster.global.u32 [%0], 1;" :: "l"(flag) : "memory");  //~ FAULT
  } else {
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory"); while (!v);  //~ FAULT
    *out = *data;  //~ FAULT
  }
}
