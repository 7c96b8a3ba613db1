extern "C" __global__ void k(unsigned *out, unsigned *count, const unsigned *in) {
  unsigned i = blockIdx.x * 48 + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    unsigned want = gridDim.x;
    while (*(volatile unsigned *)count < want) {}
    __threadfence();
  }
  __syncthreads();
  out[i] += 1;
}
