extern "C" __global__ void k(unsigned *out, unsigned *b, const unsigned *in) {
  __shared__ unsigned s[2];
  unsigned v = in[blockIdx.x * 64 + threadIdx.x];
  v = __reduce_add_sync(~0u, v);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    b[2 + blockIdx.x] = s[0] + s[1];
    __threadfence();
    atomicAdd(b, 1u);
    while (*(volatile unsigned *)b < 2) { }
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 5 && blockIdx.x == 1) out[0] = b[2] + b[3];
}
