__device__ __noinline__ void exchange(volatile unsigned *s, unsigned lane, unsigned v) {
  s[lane] = v;
  __syncwarp();  //~ FAULT absent-lane
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[32];
  unsigned lane = threadIdx.x, v = in[lane];
  s[lane] = 0;
  __syncwarp();
  if (v < 5) exchange(s, lane, v);
  __syncthreads();
  out[lane] = s[31 - lane];
}
