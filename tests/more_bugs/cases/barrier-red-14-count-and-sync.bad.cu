__device__ __noinline__ int votes(bool p) { return __syncthreads_count(p); }  //~ FAULT barrier-mix
__device__ __noinline__ int none() { __syncthreads(); return 0; }  //~ FAULT barrier-mix
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  out[t] = t / 32 == 1 ? none() : votes(in[t] & 1);
}
