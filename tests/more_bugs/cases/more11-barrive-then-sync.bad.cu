// A warp arrives for its data and then waits at the same barrier for the others' data.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 32)
    asm volatile("barrier.arrive 1, 96;" ::: "memory");  //~ FAULT
  asm volatile("barrier.sync 1, 96;" ::: "memory");  //~ FAULT
  out[t] = s[95 - t];
}
