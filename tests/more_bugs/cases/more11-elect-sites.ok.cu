extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s;
  unsigned t = threadIdx.x, p;
  asm volatile("{.reg .pred q;\n elect.sync _|q, 0xffffffff;\n selp.u32 %0, 1, 0, q;}" : "=r"(p));
  if (p) {
    s = in[t];
  }
  __syncthreads();
  out[t] = s;
}
