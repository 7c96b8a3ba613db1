extern "C" __global__ void k(unsigned *out) {
  unsigned *p = (unsigned *)malloc(64);
  if (!p) return;
  p[0] = threadIdx.x;
  out[threadIdx.x] = p[0];
  free(p);
  free(p);  //~ FAULT use-after-free
}
