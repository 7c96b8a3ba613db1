extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = 0;
  asm volatile("{ .reg .pred p; .reg .b32 x, y; setp.lt.u32 p, %1, 8; @p mov.u32 x, %2; and.b32 y, %1, 7; shfl.sync.idx.b32 %0, x, y, 0x1f, -1; }" : "=r"(v) : "r"(t), "r"(in[t]));  //~ FAULT
  out[t] = v; //~ FAULT
}
