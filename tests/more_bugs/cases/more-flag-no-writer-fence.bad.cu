extern "C" __global__ void k(unsigned *out, unsigned *data, volatile unsigned *flag) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42; //~ FAULT race-global
      flag[0] = 1;
    }
  } else {
    if (threadIdx.x == 0) {
      while (flag[0] == 0) { }
      __threadfence();
      out[blockIdx.x] = data[0]; //~ FAULT race-global
    }
  }
}
