extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ __align__(16) unsigned s[72];
  unsigned t = threadIdx.x;
  if (t < 8) s[64 + t] = 0;
  s[t] = in[t];
  __syncthreads();
  uint2 v = *(uint2 *)&s[t & ~1u];  //~ FAULT race-block
  if (t >= 32) *(uint4 *)&s[(t - 32) & ~3u] = make_uint4(v.x, v.y, v.x, v.y);  //~ FAULT race-block
  __syncthreads();
  out[t] = s[t] + v.x;
}
