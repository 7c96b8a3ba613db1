extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, unsigned *flag) {
  unsigned t = threadIdx.x, v;
  if (blockIdx.x == 0) {
    data[t] = in[t];
    __threadfence();
    __syncwarp();
    if (t == 0) atomicExch(flag, 1);
  } else {
    if (t == 0)
      do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory"); while (!v);
    __syncwarp();
    out[t] = data[t];
  }
}
