template <int R> __device__ __forceinline__ void meet(unsigned *s, unsigned v) {
  s[threadIdx.x] = v * R;
  __syncthreads();  //~ FAULT barrier-sites
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < 32) meet<1>(s, in[t]);
  else meet<2>(s, in[t]);
  out[t] = s[63 - t];
}
