// The helper is called with the lanes' own mask, computed after they parted.
__device__ __noinline__ unsigned total(unsigned mask, unsigned v) { return __reduce_add_sync(mask, v); }  //~ FAULT mask-mismatch
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, lane = t % 32, v = in[t];
  unsigned low = __ballot_sync(0xffffffff, v < 30);
  unsigned mask = lane < 16 ? low | 1u << lane : low;
  out[t] = v < 30 ? total(lane < 20 ? low : mask | 1u << 31, v) : 0;  //~ FAULT mask-mismatch
}
