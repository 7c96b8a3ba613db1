// 47 words of dynamic shared memory for 48 threads.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  extern __shared__ unsigned s[];
  unsigned t = threadIdx.x;
  s[t] = in[t];  //~ FAULT
  __syncthreads();
  out[t] = s[(t * 5) % 47];
}
