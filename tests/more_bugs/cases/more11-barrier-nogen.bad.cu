// A software barrier of warps that is reset by the last one and used again: a slow warp misses the full count.
__device__ __noinline__ void meet(unsigned *n) {
  if (threadIdx.x % 32 == 0) {
    if (atomicAdd(n, 1) == 2) atomicExch(n, 0);
    else while (atomicAdd(n, 0) % 3 != 0) {}  //~ FAULT
  }
  __syncwarp();
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned n;
  unsigned t = threadIdx.x;
  if (t == 0) n = 0;
  __syncthreads();
  for (int i = 0; i < 3; ++i) meet(&n);
  out[t] = in[t];
}
