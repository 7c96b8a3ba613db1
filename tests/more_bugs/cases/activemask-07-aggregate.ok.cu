__device__ unsigned add1(unsigned *p) {
  unsigned m = __activemask(), lane = threadIdx.x % 32;
  int leader = __ffs(m) - 1;
  unsigned r = 0;
  if (lane == leader) r = atomicAdd(p, __popc(m));
  r = __shfl_sync(m, r, leader);
  return r + __popc(m & ((1u << lane) - 1));
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  if (in[threadIdx.x] & 1) add1(out);
}
