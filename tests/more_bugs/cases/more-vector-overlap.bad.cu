extern "C" __global__ void k(unsigned *out, const uint4 *in) {
  __shared__ uint4 s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t]; //~ FAULT race-warp
  out[t] = ((unsigned *)s)[(t * 4 + 5) % 256]; //~ FAULT race-warp
}
