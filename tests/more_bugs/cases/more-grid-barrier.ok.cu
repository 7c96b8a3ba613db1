__device__ unsigned arrived;
__device__ void grid_sync(unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*(volatile unsigned *)&arrived < goal) { }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void k(unsigned *a, unsigned *b, const unsigned *in) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = in[i];  //~ FAULT
  grid_sync(gridDim.x);
  b[i] = a[n - 1 - i] + a[i];  //~ FAULT
  grid_sync(2 * gridDim.x);
  a[i] = b[(i + 33) % n];  //~ FAULT
}
