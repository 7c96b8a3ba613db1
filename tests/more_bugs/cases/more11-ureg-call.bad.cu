// An undefined register is passed by value through a function pointer.
__device__ __noinline__ unsigned twice(unsigned x) { return x * 2; }
__device__ __noinline__ unsigned same(unsigned x) { return x; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], u;
  asm volatile("{.reg .u32 q; .reg .pred p; setp.gt.u32 p, %1, 30; @p mov.u32 q, %1; mov.u32 %0, q;}" : "=r"(u) : "r"(x));  //~ FAULT
  unsigned (*f)(unsigned) = x & 1 ? twice : same;
  out[t] = f(u);  //~ FAULT
}
