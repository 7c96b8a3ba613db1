extern "C" __global__ void k(unsigned *out, unsigned *sum, volatile unsigned *flag, const unsigned *in) {
  unsigned b = blockIdx.x, v = __reduce_add_sync(~0u, in[b * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    unsigned before = 0;
    if (b > 0) {
      while (flag[b - 1] == 0) { }
      before = sum[b - 1];  //~ FAULT race-global
    }
    sum[b] = before + v;  //~ FAULT race-global
    flag[b] = 1;
    out[b] = before;
  }
}
