template <class T> __device__ T rotate(T v, unsigned lane) { return __shfl_sync(0xffffffffu, v, lane < 8 ? lane + 12 : lane - 8); }
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncwarp();
  unsigned v = s[t];
  unsigned w = rotate(v, t);
  if (t < n) out[t] = w;
}
