extern "C" __global__ void k(unsigned *a, unsigned *b) {
  unsigned x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  unsigned up = a[(y + 15) % 16 * 16 + x];  //~ FAULT race-global
  __syncthreads();
  a[y * 16 + x] += up;  //~ FAULT race-global
}
