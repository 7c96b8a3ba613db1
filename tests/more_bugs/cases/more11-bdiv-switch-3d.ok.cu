extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x, x = in[t];
  s[t] = x;
  switch (threadIdx.z) {
    case 0: x += 1; break;
    case 1: x *= 3;
      break;
    case 2: x ^= 5; break;
    default: x = 0;
  }
  __syncthreads();
  out[t] = x + s[63 - t];
}
