__device__ bool elected(unsigned m) { unsigned p; asm volatile("{.reg .pred q;\n elect.sync _|q, %1;\n selp.u32 %0, 1, 0, q;}" : "=r"(p) : "r"(m)); return p; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  if (elected(~0u)) {
    r = x & 1;
  }
  __syncwarp();
  out[t] = r;
}
