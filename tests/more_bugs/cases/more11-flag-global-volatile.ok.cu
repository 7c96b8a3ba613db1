extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, volatile unsigned *flag) {
  unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = in[t];
    __threadfence();
    __syncthreads();
    if (t == 0) *flag = 1;
  } else {
    while (*flag == 0) {}
    __threadfence();
    out[t] = data[63 - t];
  }
}
