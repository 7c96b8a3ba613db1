template <bool FIRST> __device__ void role(unsigned *s, unsigned t) {
  if (FIRST) { s[t] += 1; __syncthreads(); s[t] *= 2; }
  else { __syncthreads(); s[t] += 3; }
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  role<true>(s, t);
  out[t] = s[t];
}
