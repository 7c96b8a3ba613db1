extern __shared__ unsigned char raw[];
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned *a = (unsigned *)raw;
  double *b = (double *)(raw + 256);
  a[t] = in[t];
  b[t] = in[t] * 2.0;
  __syncthreads();
  out[t] = a[63 - t] + (unsigned)b[t];
}
