__device__ __noinline__ int votes(bool p) { return __syncthreads_count(p); }
__device__ __noinline__ int none() { __syncthreads(); return 0; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  int r = votes(t / 32 != 1 && in[t] & 1);
  out[t] = r + none();
}
