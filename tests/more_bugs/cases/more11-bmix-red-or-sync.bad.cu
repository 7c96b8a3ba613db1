// One warp counts, the other only waits, through two helpers.
__device__ __noinline__ int counted(int p) { return __syncthreads_count(p); }  //~ FAULT
__device__ __noinline__ int waited() { __syncthreads(); return 0; }  //~ FAULT
extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  int x = in[t], n;
  if (t < 32) n = counted(x & 1); else n = waited();
  out[t] = n;
}
