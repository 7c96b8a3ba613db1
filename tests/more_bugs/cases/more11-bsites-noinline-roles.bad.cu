// Three roles, each with its own call of a block barrier.
__device__ __noinline__ void load(unsigned *s, const unsigned *in) { s[threadIdx.x] = in[threadIdx.x]; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, w = t / 32;
  load(s, in);
  if (w == 0) { s[t] += 1; __syncthreads(); }  //~ FAULT
  else if (w == 1) { s[t] += 2; __syncthreads(); }  //~ FAULT
  else { s[t] += 3; __syncthreads(); }  //~ FAULT
  out[t] = s[95 - t];
}
