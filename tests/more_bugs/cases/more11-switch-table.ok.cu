// A dense switch with barriers before and after, and loops in the cases.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, x = in[t], r = 0;
  s[t] = x;
  __syncthreads();
  switch (x % 8) {
    case 0: r = s[t]; break;
    case 1: for (unsigned i = 0; i < 4; ++i) r += s[(t + i) % 64]; break;
    case 2: r = s[t ^ 1] * 3; break;
    case 3: r = __popc(x); // through
    case 4: r += s[63 - t]; break;
    case 5: r = x << 3; break;
    case 6: r = s[0]; break;
    default: r = 7;
  }
  __syncthreads();
  s[63 - t] = r;
  __syncthreads();
  out[t] = s[t];
}
