// As in threadFenceReduction: the verdict goes through shared memory, the counter is reset at the end.
__device__ unsigned ticket;
__shared__ bool last;
extern "C" __global__ void k(unsigned *out, const unsigned *in, volatile unsigned *part) {
  __shared__ unsigned s[2];
  unsigned b = blockIdx.x, t = threadIdx.x, v = __reduce_add_sync(~0u, in[b * 64 + t]);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t == 0) {
    part[b] = s[0] + s[1];
    __threadfence();
    last = atomicInc(&ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    unsigned x = t < gridDim.x ? part[t] : 0;
    if (t < 32) {
      x = __reduce_add_sync(~0u, x);
      if (t == 0) { *out = x; ticket = 0; }
    }
  }
}
