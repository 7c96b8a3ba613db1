__device__ unsigned role(unsigned r, unsigned *s, unsigned t, unsigned v) {
  s[t] = v * (r + 1);
  __syncthreads();
  return s[95 - t] + r;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  out[t] = role(t / 32, s, t, in[t]) * (t / 32 == 2 ? 2 : 1);
}
