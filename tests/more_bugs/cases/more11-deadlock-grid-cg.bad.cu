// A block leaves before the grid-wide barrier made of atomics, generation style.
__device__ unsigned count, gen;
__device__ void grid_barrier(unsigned n) {
  __syncthreads();  //~ FAULT
  if (threadIdx.x == 0) {
    unsigned g = atomicAdd(&gen, 0);
    __threadfence();
    if (atomicAdd(&count, 1) == n - 1) { count = 0; __threadfence(); atomicAdd(&gen, 1); }
    else while (atomicAdd(&gen, 0) == g) __nanosleep(32);  //~ FAULT
    __threadfence();
  }
  __syncthreads();  //~ FAULT
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i];
  if (__syncthreads_or(in[i] == 40)) return;
  grid_barrier(gridDim.x);  //~ FAULT
}
