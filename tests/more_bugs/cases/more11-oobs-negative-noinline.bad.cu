// The element before the first one, in a helper that gets the array by reference.
__device__ __forceinline__ unsigned prev(const unsigned (&s)[64], int i) { return s[i - 1]; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = prev(s, t);
}
