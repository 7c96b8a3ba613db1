typedef unsigned (*F)(unsigned);
__device__ __noinline__ unsigned fa(unsigned x) { return x * 3; }
__device__ __noinline__ unsigned fb(unsigned x) { return x + 9; }
__device__ F table[2] = {fa, fb};
extern "C" __global__ void k(unsigned *out, const unsigned *in) { out[threadIdx.x] = table[in[threadIdx.x] & 1](in[threadIdx.x]); }
