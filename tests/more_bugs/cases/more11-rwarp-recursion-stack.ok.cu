__device__ void cas(unsigned *s, unsigned i, unsigned j, bool up) {
  unsigned a = s[i], b = s[j];
  if ((a > b) == up) { s[i] = b; s[j] = a; }
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t]; s[t + 32] = in[31 - t] + 1;
  __syncwarp();
  for (unsigned w = 2; w <= 64; w *= 2)
    for (unsigned d = w / 2; d; d /= 2) {
      unsigned i = (t / d) * 2 * d + t % d;
      cas(s, i, i + d, (i & w) == 0);
      __syncwarp();
    }
  out[t] = s[t] + s[t + 32];
}
