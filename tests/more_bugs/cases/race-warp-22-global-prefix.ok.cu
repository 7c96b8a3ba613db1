extern "C" __global__ void k(unsigned *out, unsigned *a) {
  unsigned t = threadIdx.x;
  unsigned v = a[t];
  __syncwarp();
  a[t + 1] += v;
  out[t] = t;
}
