extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned *buf;
  unsigned t = threadIdx.x;
  if (t == 0) buf = (unsigned *)malloc(64 * 4);
  __syncthreads();
  buf[t] = in[t];
  __syncthreads();
  __syncthreads();
  out[t] = buf[63 - t];
  __syncthreads();
  if (t == 0) free(buf);
}
