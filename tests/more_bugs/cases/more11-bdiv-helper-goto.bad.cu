// An error path jumps to the end past the barriers.
__device__ bool step(unsigned *s, unsigned x) { s[threadIdx.x] = x; __syncthreads(); return s[71 - threadIdx.x] > 10; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[72];
  unsigned t = threadIdx.x, r = 0, x = in[t];
  bool good = step(s, x);
  __syncthreads();  //~ FAULT
  if (!good) goto end;
  good = step(s, x * 2);  //~ FAULT
  r = 1;
end:
  __syncthreads();  //~ FAULT
  out[t] = r + good;
}
