template <int R> __device__ unsigned role(unsigned *s, unsigned t, unsigned v) {
  s[t] = v * (R + 1);
  __syncthreads();
  return s[95 - t] + R;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  switch (t / 32) {
    case 0: out[t] = role<0>(s, t, in[t]); break;  //~ FAULT barrier-sites
    case 1: out[t] = role<1>(s, t, in[t]); break;  //~ FAULT barrier-sites
    default: out[t] = role<2>(s, t, in[t]) * 2; break;  //~ FAULT barrier-sites
  }
}
