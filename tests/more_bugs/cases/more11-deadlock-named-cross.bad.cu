// Two warps wait at barriers 1 and 2 in opposite order, in helpers.
__device__ __noinline__ void b1() { asm volatile("barrier.sync 1, 64;" ::: "memory"); }  //~ FAULT
__device__ __noinline__ void b2() { asm volatile("barrier.sync 2, 64;" ::: "memory"); }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  if (t < 32) { b1(); b2(); }
  else { b2(); b1(); }
  out[t] = in[t];
}
