// The barrier of a pipeline stage at three places for three warps, through one inlined helper.
__device__ __forceinline__ void stage_done() { __syncthreads(); }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  switch (t / 32) {
    case 0: stage_done(); s[t] += 1; break;  //~ FAULT
    case 1: stage_done(); s[t] += 2; break;  //~ FAULT
    default: stage_done(); s[t] += 3;  //~ FAULT
  }
  out[t] = s[t];
}
