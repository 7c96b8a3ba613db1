extern "C" __global__ void k(unsigned *out, unsigned *data,  unsigned *flag) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42; //~ FAULT
      __threadfence();
      atomicExch(flag, 1u);
    }
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0u) == 0) { }
      __threadfence();
      out[blockIdx.x] = data[0]; //~ FAULT
    }
  }
}
