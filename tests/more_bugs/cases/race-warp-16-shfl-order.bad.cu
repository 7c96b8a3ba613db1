extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x, v = in[t];
  s[t] = v;  //~ FAULT race-warp
  unsigned w = __shfl_xor_sync(0xffffffffu, v, 1);
  unsigned r = __reduce_add_sync(0xffffffffu, w);
  out[t] = s[t ^ 1] + r;  //~ FAULT race-warp
}
