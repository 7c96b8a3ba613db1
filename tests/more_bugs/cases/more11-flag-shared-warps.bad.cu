// Three warps hand a value down a chain by volatile flags in shared memory.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned flag[3];
  __shared__ unsigned box[3];
  unsigned t = threadIdx.x, w = t / 32;
  if (t < 3) flag[t] = 0;
  __syncthreads();
  if (t % 32 == 0) {
    unsigned v = in[t];
    if (w) {
      while (flag[w - 1] == 0) {}
      v += box[w - 1];  //~ FAULT
    }
    box[w] = v;  //~ FAULT
    flag[w] = 1;
    out[w] = v;
  }
}
