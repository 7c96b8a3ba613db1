template <int N> __device__ void fold(volatile float *s, unsigned lane) {
  for (int d = N / 2; d > 0; d /= 2) {
    float y = s[lane + d];
    __syncwarp();
    s[lane] += y;
    __syncwarp();
  }
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
