// Blocks hand a value on in a chain: the flag is volatile, the value is not fenced.
extern "C" __global__ void k(unsigned *out, volatile unsigned *flag, unsigned *value) {
  if (threadIdx.x == 0) {
    unsigned b = blockIdx.x, got = 7;
    if (b) {
      while (flag[b - 1] == 0) ;
      got = value[b - 1];  //~ FAULT race-global
    }
    value[b] = got + b;  //~ FAULT race-global
    flag[b] = 1;
    out[b] = got;
  }
}
