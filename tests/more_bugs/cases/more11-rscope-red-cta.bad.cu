// red.relaxed.cta to a global histogram in inline PTX.
__device__ void count(unsigned *p) {
  asm volatile("red.relaxed.cta.global.add.u32 [%0], 1;" :: "l"(p) : "memory");  //~ FAULT
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  count(out + in[blockIdx.x * 32 + threadIdx.x] % 16);  //~ FAULT
}
