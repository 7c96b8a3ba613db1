// A reduction of 100 threads whose barrier is missing between two strides.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[100];
  unsigned t = threadIdx.x, n = 100;
  s[t] = in[t];
  while (n > 1) {
    unsigned half = (n + 1) / 2;
    if (n > 50)
    __syncthreads();
    if (t + half < n) s[t] += s[t + half];  //~ FAULT
    n = half;
  }
  if (t == 0) out[0] = s[0];
}
