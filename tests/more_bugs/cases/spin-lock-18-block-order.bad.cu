extern "C" __global__ void k(unsigned *out, volatile unsigned *flag) {
  unsigned b = blockIdx.x;
  if (threadIdx.x == 0) {
    while (flag[(b + 1) % 3] == 0) { }  //~ FAULT deadlock
    flag[b] = 1;
    out[b] = b;
  }
}
