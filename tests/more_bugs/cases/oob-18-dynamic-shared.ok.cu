extern __shared__ unsigned pool[];
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  pool[t] = in[t];
  __syncthreads();
  out[t] = pool[t] + (t == 62 ? pool[t + 1] : 0);
}
