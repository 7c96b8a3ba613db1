__device__ unsigned who() { unsigned m; asm volatile("activemask.b32 %0;" : "=r"(m)); return m; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned all = __ballot_sync(~0u, x % 5);
  if (x % 5) {
    unsigned m = all;
    r = __popc(__ballot_sync(m, x & 1));
  }
  out[t] = r;
}
