// Which reduction is a template parameter; the warps disagree.
template <bool ALL> __device__ int vote(int p) { return ALL ? __syncthreads_and(p) : __syncthreads_or(p); }  //~ FAULT
extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  int x = in[t] > 5;
  int r = t / 32 == 2 ? vote<true>(x) : vote<false>(x);
  out[t] = r;
}
