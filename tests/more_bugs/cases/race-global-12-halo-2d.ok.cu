extern "C" __global__ void k(unsigned *a, unsigned *b) {
  unsigned x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  unsigned up = a[blockIdx.y * 128 + (threadIdx.y + 7) % 8 * 16 + x];
  __syncthreads();
  a[y * 16 + x] += up;
}
