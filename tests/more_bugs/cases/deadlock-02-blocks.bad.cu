extern "C" __global__ void k(unsigned *out, volatile unsigned *flag) {
  if (threadIdx.x) return;
  unsigned b = blockIdx.x;
  while (!flag[1 - b]) { }  //~ FAULT deadlock
  __threadfence();
  flag[b] = 1;
  out[b] = 1;
}
