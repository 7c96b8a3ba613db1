extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, x = in[t];
  s[t] = x;
  int going = 1;
  do {
    __syncthreads();
    unsigned y = s[(t + 1) % 96];
    __syncthreads();
    if (y < x) x = y; else going = 0;
    s[t] = x;
  } while (__syncthreads_or(going));
  out[t] = x;
}
