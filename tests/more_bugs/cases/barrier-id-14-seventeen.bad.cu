extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned id) {
  unsigned t = threadIdx.x;
  asm volatile("barrier.sync %0, 64;" :: "r"(id) : "memory");  //~ FAULT barrier-count
  out[t] = in[t];
}
