typedef unsigned (*Op)(unsigned);
__device__ __noinline__ unsigned sum(unsigned v) { return __reduce_add_sync(0xffffffffu, v); }  //~ FAULT absent-lane
__device__ __noinline__ unsigned most(unsigned v) { return __reduce_max_sync(0xffffffffu, v); }  //~ FAULT absent-lane
__device__ __noinline__ unsigned same(unsigned v) { return v; }
__device__ Op table[3] = {sum, most, same};
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned r = table[in[t]](t);
  __syncwarp();
  out[t] = r;
}
