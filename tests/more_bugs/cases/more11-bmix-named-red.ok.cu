extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], n = 0;
    asm volatile("{.reg .pred p; setp.gt.u32 p, %1, 30; barrier.red.popc.u32 %0, 5, 64, p;}" : "=r"(n) : "r"(x) : "memory");
  out[t] = n;
}
