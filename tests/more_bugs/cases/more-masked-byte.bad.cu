extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned char s[128];
  unsigned t = threadIdx.x;
  s[4 * t + 2] = in[t];
  __syncwarp();
  unsigned v = ((unsigned *)s)[t]; //~ FAULT uninit-shared
  out[t] = __byte_perm(v, 0, 0x4443); //~ FAULT uninit-shared
}
