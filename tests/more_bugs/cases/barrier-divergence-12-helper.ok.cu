template <class F> __device__ void guarded(bool go, F f) { if (go) f(); __syncthreads(); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  guarded(in[t] > 10, [&] { s[t] = in[t]; });
  __syncthreads();
  out[t] = s[63 - t];
}
