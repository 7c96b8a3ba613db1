extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x, x = in[t];
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    s[t] = x;
    x = __shfl_xor_sync(~0u, x, 1 << i);
    __syncwarp();
    x += s[(t + i + 1) % 32];
    __syncwarp();
  }
  out[t] = x;
}
