template <int N> __device__ void fold(volatile float *s, unsigned lane) {
  if (N >= 32) s[lane] += s[lane + 16];  //~ FAULT race-warp
  if (N >= 16) s[lane] += s[lane + 8];  //~ FAULT race-warp
  if (N >= 8) s[lane] += s[lane + 4];  //~ FAULT race-warp
  if (N >= 4) s[lane] += s[lane + 2];  //~ FAULT race-warp
  if (N >= 2) s[lane] += s[lane + 1];  //~ FAULT race-warp
}
extern "C" __global__ void k(float *out, const unsigned *in) {
  __shared__ float s[2][48];
  unsigned t = threadIdx.x, w = t / 32, lane = t % 32;
  s[w][lane] = in[t];
  if (lane < 16) s[w][lane + 32] = 0;
  __syncthreads();
  fold<32>(s[w], lane);
  if (lane == 0) out[w] = s[w][0];
}
