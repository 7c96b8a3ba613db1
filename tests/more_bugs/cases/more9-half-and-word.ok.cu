extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ union { unsigned word[32]; unsigned short half[64]; } s;
  unsigned t = threadIdx.x, lane = t % 32;
  if (t < 32) s.word[lane] = 0;
  __syncthreads();
  if (t < 32) s.half[2 * lane] = in[t];
  else s.half[2 * lane + 1] = in[t];
  __syncthreads();
  out[t] = s.half[t];
}
