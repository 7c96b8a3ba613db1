template <bool ALL> __device__ int vote(int p) { return ALL ? __syncthreads_and(p) : __syncthreads_or(p); }
extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  int x = in[t] > 5;
  int r = vote<true>(x);
  out[t] = r;
}
