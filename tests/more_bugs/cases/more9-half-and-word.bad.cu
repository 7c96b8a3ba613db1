// Two halves of a packed word are updated by two warps as whole words.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ union { unsigned word[32]; unsigned short half[64]; } s;
  unsigned t = threadIdx.x, lane = t % 32;
  if (t < 32) s.word[lane] = 0;
  __syncthreads();
  if (t < 32) s.half[2 * lane] = in[t];  //~ FAULT race-block
  else s.word[lane] |= in[t] << 16;  //~ FAULT race-block
  __syncthreads();
  out[t] = s.half[t];
}
