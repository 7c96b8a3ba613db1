extern "C" __global__ void k(unsigned *out, unsigned *value, volatile unsigned *flag, const unsigned *in) {
  unsigned b = blockIdx.x;
  if (threadIdx.x == 0) {
    unsigned sum = in[b];
    if (b > 0) {
      while (flag[b - 1] == 0) { }
      __threadfence();
      sum += value[b - 1]; //~ FAULT
    }
    value[b] = sum; //~ FAULT
    __threadfence();
    flag[b] = 1;
    out[b] = sum;
  }
}
