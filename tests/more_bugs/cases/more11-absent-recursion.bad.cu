// Recursion of a depth that differs by lane, with a vote on each level.
__device__ __noinline__ unsigned walk(unsigned n, unsigned mask) {
  unsigned b = __ballot_sync(mask, n & 1);  //~ FAULT
  if (n == 0) return __popc(b);
  return walk(n - 1, mask) + __popc(b);
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  unsigned r = walk(in[t], 0xffffffffu);
  __syncwarp();
  out[t] = r;
}
