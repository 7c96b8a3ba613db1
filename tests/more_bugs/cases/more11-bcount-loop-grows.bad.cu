// The count doubles with the round, up to 256 in a block of 128.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned n = 64; n <= 256; n *= 2) {
    if (t < n) {
      asm volatile("bar.sync 4, %0;" :: "r"(n) : "memory");  //~ FAULT
    }
    __syncthreads();
  }
  __syncthreads();
  out[t] = s[127 - t];
}
