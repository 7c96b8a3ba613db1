extern "C" __global__ void k(int *out, const int *in, int n) {
  unsigned t = threadIdx.x;
  int s = 0;
#pragma unroll 4
  for (int d = n; d > 0; --d)
    s += in[t] / d;
  out[t] = s;
}
