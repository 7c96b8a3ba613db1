__device__ __noinline__ unsigned total(unsigned mask, unsigned v) { return __reduce_add_sync(mask, v); }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t];
  unsigned low = __ballot_sync(0xffffffff, v < 30);
  out[t] = v < 30 ? total(low, v) : 0;
}
