// All threads of the second block poll a volatile flag; no fence.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *data, volatile unsigned *flag) {
  unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = in[t];  //~ FAULT
    __syncthreads();
    if (t == 0) *flag = 1;
  } else {
    while (*flag == 0) {}
    out[t] = data[63 - t];  //~ FAULT
  }
}
