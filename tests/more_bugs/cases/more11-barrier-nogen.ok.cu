__device__ __noinline__ void meet(unsigned *n) {
  if (threadIdx.x % 32 == 0) {
    unsigned mine = atomicAdd(n, 1) / 3;
    while (atomicAdd(n, 0) / 3 == mine) {}
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
