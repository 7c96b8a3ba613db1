// A tile of 64 filled by 50 threads and summed over 64.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, sum = 0;
  s[t] = in[t];
  __syncthreads();
  for (int i = 0; i < 64; ++i) sum += s[(i + t) % 64];  //~ FAULT
  out[t] = sum;  //~ FAULT
}
