__device__ __noinline__ void meet() { __syncwarp(); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  meet();
  out[t] = s[t ^ 31];
}
