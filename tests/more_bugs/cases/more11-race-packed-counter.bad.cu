// Two 16-bit counters in one word, one by atomic, one by a plain store of its half.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned both;
  unsigned t = threadIdx.x;
  if (t == 0) both = 0;
  __syncthreads();
  atomicAdd(&both, in[t] & 1);  //~ FAULT
  if (t == 64) ((unsigned short *)&both)[1] = 7;  //~ FAULT
  __syncthreads();
  if (t == 0) out[0] = both;
}
