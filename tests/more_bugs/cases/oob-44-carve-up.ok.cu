// One dynamic array holds three; two names of it are the same memory.
extern __shared__ unsigned char raw[];
extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned fixed[64];
  unsigned *a = (unsigned *)raw, *b = a + 64;
  float *c = (float *)(b + 64);
  unsigned t = threadIdx.x;
  fixed[t] = t;
  a[t] = t; b[t] = 2 * t; c[t] = 3.f * t;
  __syncthreads();
  out[t] = a[64 + (63 - t)] + b[(int)t - 64] + (unsigned)c[(int)t] + fixed[63 - t];
}
