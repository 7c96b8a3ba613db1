extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned short s[64];
  unsigned t = threadIdx.x;
  s[2 * t] = in[t];
  __syncwarp();
  unsigned v = ((unsigned *)s)[t];
  out[t] = (v & 0xffff) * 3;
}
