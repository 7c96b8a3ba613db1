__device__ __noinline__ int counted(int p) { return __syncthreads_count(p); }
__device__ __noinline__ int waited() { __syncthreads(); return 0; }
extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  int x = in[t], n;
  n = counted(x & 1);
  out[t] = n;
}
