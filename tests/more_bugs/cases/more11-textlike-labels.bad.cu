// A ping-pong of two roles that call barriers at two places of one function.
template <bool FIRST> __device__ void role(unsigned *s, unsigned t) {
  if (FIRST) { s[t] += 1; __syncthreads(); s[t] *= 2; }  //~ FAULT
  else { __syncthreads(); s[t] += 3; }  //~ FAULT
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t < 32) role<true>(s, t); else role<false>(s, t);  //~ FAULT
  out[t] = s[t];
}
