extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  int a = in[t] + 1, b = in[31 - t] - 3;
  out[t] = b ? a / b : 0;
}
