extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned *shared;
  unsigned t = threadIdx.x;
  if (t == 0) { shared = (unsigned *)malloc(256); }
  __syncthreads();
  if (!shared) return;
  shared[t] = in[t];
  __syncthreads();
  unsigned *p = shared;
  out[t] = ((volatile unsigned *)p)[63 - t];
  __syncthreads();
  if (t == 0) free(p);
}
