__device__ void grid_sync(unsigned *count, unsigned n) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (*(volatile unsigned *)count < n) { }
  }
  __syncthreads();
}
extern "C" __global__ void k(unsigned *out, unsigned *box, unsigned *count) {
  unsigned b = blockIdx.x;
  if (threadIdx.x == 0) box[b] = b * 10 + 1;  //~ FAULT race-global
  grid_sync(count, gridDim.x);
  if (threadIdx.x == 0) out[b] = box[(b + 1) % 3];  //~ FAULT race-global
}
