extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned *shared;
  unsigned t = threadIdx.x;
  if (t == 0) { shared = (unsigned *)malloc(256); }
  __syncthreads();
  if (!shared) return;
  shared[t] = in[t];
  __syncthreads();
  unsigned *p = shared;
  if (t == 0) free(p);
  __syncthreads();
  out[t] = ((volatile unsigned *)p)[63 - t];  //~ FAULT use-after-free
}
