template <int N> __device__ void scan(unsigned *s, unsigned t) {
  for (int d = 1; d < N; d *= 2) {
    unsigned v = t >= d ? s[t - d] : 0;  //~ FAULT race-block
    s[t] += v;  //~ FAULT race-block
    __syncthreads();
  }
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  scan<128>(s, t);
  out[t] = s[t];
}
