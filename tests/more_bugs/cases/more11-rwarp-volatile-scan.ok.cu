extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned buf[3][64];
  volatile unsigned *s = buf[threadIdx.y] + 32;
  unsigned t = threadIdx.x;
  buf[threadIdx.y][t] = 0;
  s[t] = in[threadIdx.y * 32 + t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    unsigned y = s[(int)t - d];
    __syncwarp();
    s[t] = s[t] + y;
    __syncwarp();
  }
  out[threadIdx.y * 32 + t] = s[t];
}
