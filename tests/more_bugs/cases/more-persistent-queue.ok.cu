__device__ unsigned head;
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned job;
  for (;;) {
    if (threadIdx.x == 0) job = atomicAdd(&head, 1u);
    __syncthreads();
    unsigned j = job;
    __syncthreads();
    if (j >= n) break;
    out[j * 32 + threadIdx.x] = in[j * 32 + threadIdx.x] + j;
  }
}
