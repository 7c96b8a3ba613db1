// The reader acquires at block scope (ld.acquire.cta), the writer releases at device scope.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, unsigned *flag) {
  unsigned t = threadIdx.x, v;
  if (blockIdx.x == 0) {
    data[t] = in[t];  //~ FAULT
    __threadfence();
    __syncwarp();
    if (t == 0) atomicExch(flag, 1);  //~ FAULT
  } else {
    if (t == 0)
      do asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory"); while (!v);  //~ FAULT
    __syncwarp();
    out[t] = data[t];  //~ FAULT
  }
}
