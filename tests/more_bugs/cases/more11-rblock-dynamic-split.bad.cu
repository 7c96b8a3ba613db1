// Dynamic shared memory split by hand: the second part starts too early.
extern __shared__ unsigned char raw[];
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned *a = (unsigned *)raw;
  double *b = (double *)(raw + 128);
  a[t] = in[t];  //~ FAULT
  b[t] = in[t] * 2.0;  //~ FAULT
  __syncthreads();
  out[t] = a[63 - t] + (unsigned)b[t];
}
