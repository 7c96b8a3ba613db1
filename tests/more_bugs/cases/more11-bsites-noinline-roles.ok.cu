__device__ __noinline__ void load(unsigned *s, const unsigned *in) { s[threadIdx.x] = in[threadIdx.x]; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, w = t / 32;
  load(s, in);
  s[t] += w + 1;
  __syncthreads();
  out[t] = s[95 - t];
}
