__device__ void warp_reduce(volatile unsigned *s, unsigned t) {
  s[t] += s[t + 32];  //~ FAULT race-warp
  s[t] += s[t + 16];  //~ FAULT race-warp
  s[t] += s[t + 8];  //~ FAULT race-warp
  s[t] += s[t + 4];  //~ FAULT race-warp
  s[t] += s[t + 2];  //~ FAULT race-warp
  s[t] += s[t + 1];  //~ FAULT race-warp
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) warp_reduce(s, t);
  if (t == 0) out[0] = s[0];
}
