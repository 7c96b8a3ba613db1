// The elected lane waits at a barrier of the block while its warp is at a warp barrier.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s;
  unsigned t = threadIdx.x, p;
  asm volatile("{.reg .pred q;\n elect.sync _|q, 0xffffffff;\n selp.u32 %0, 1, 0, q;}" : "=r"(p));
  if (p) {
    s = in[t];
    __syncwarp();  //~ FAULT
  }
  __syncthreads();  //~ FAULT barrier-divergence
  out[t] = s;
}
