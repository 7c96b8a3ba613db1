__device__ unsigned head;
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned job;
  for (;;) {
    if (threadIdx.x == 0) job = atomicAdd(&head, 1u); //~ FAULT race-block
    __syncthreads();
    unsigned j = job; //~ FAULT race-block
    if (j >= n) break;
    out[j * 64 + threadIdx.x] = in[j * 64 + threadIdx.x] + j;
  }
}
