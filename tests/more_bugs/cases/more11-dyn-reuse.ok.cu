// Dynamic shared memory seen as words, then as doubles, then as bytes.
extern __shared__ __align__(16) unsigned char raw[];
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned *w = (unsigned *)raw;
  w[t] = in[t];
  __syncthreads();
  unsigned x = w[95 - t];
  __syncthreads();
  double *d = (double *)raw;
  if (t < 48) d[t] = x;
  __syncthreads();
  double y = d[t % 48];
  __syncthreads();
  raw[t] = (unsigned char)y;
  __syncthreads();
  out[t] = raw[(t + 7) % 96] + x;
}
