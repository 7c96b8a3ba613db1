// uint4 loads of 30 words through a helper.
__device__ __noinline__ uint4 get(const uint4 *p, unsigned i) { return p[i]; }  //~ FAULT
extern "C" __global__ void k(uint4 *out, const uint4 *in) {
  unsigned t = threadIdx.x;
  out[t] = get(in, t);
}
