extern "C" __global__ void k(unsigned *a, unsigned *out) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  unsigned v = __ldg(&a[63 - i]);  //~ FAULT race-global
  a[i] = v + 1;  //~ FAULT race-global
  out[i] = v;
}
