extern "C" __global__ void k(unsigned *out, unsigned *a) {
  unsigned t = threadIdx.x;
  a[t + 1] += a[t];  //~ FAULT race-warp
  out[t] = t;
}
