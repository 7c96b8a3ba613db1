__device__ __forceinline__ void stage_done() { __syncthreads(); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  stage_done();
  s[t] += t / 32 + 1;
  out[t] = s[t];
}
