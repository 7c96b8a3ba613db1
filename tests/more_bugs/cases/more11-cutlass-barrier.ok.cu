// CUTLASS' arch::Barrier of stream-K: arrive_inc and wait_eq with red.release and ld.acquire.
__device__ int ld_acquire(int *p) { int s; asm volatile("ld.global.acquire.gpu.b32 %0, [%1];\n" : "=r"(s) : "l"(p)); return s; }
__device__ void red_release(int *p, int v) { __threadfence(); asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;\n" :: "l"(p), "r"(v)); }
extern "C" __global__ void k(unsigned *out, const unsigned *in, int *flag) {
  unsigned b = blockIdx.x, t = threadIdx.x;
  if (b) { if (t == 0) while (ld_acquire(flag) != (int)b) {} __syncthreads(); }
  out[t] = (b ? out[t] : 0) + in[b * 64 + t];
  __syncthreads();
  if (t == 0) red_release(flag, 1);
}
