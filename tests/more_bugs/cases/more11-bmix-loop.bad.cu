// Rows disagree in the last round of a loop.
extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.y * 64 + threadIdx.x;
  int x = in[t], n = 0;
  for (int i = 0; i < 3; ++i) {
    if (i == 2 && threadIdx.y) __syncthreads();  //~ FAULT
    else
    n += __syncthreads_or(x == i);  //~ FAULT
  }
  out[t] = n;
}
