__device__ bool step(unsigned *s, unsigned x) { s[threadIdx.x] = x; __syncthreads(); return s[71 - threadIdx.x] > 10; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[72];
  unsigned t = threadIdx.x, r = 0, x = in[t];
  bool good = step(s, x);
  __syncthreads();
  good = step(s, x * 2);
  r = 1;
end:
  __syncthreads();
  out[t] = r + good;
}
