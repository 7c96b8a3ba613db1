__device__ __noinline__ void swap_pair(unsigned *s, unsigned lane) {
  if (lane % 2 == 0) { unsigned a = s[lane]; s[lane] = s[lane + 1]; s[lane + 1] = a; }
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[2][32];
  unsigned x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 32 + x];
  __syncwarp();
  swap_pair(s[y], x);
  __syncwarp();
  out[y * 32 + x] = s[y][x];
}
