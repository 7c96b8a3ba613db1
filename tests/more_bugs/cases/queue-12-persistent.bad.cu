extern "C" __global__ void k(unsigned *out, unsigned *next, const unsigned *in) {
  __shared__ unsigned b;
  while (true) {
    if (threadIdx.x == 0) b = atomicAdd(next, 16u);  //~ FAULT race-block
    __syncthreads();
    if (b >= 64) break;  //~ FAULT race-block
    if (threadIdx.x < 16) out[b + threadIdx.x] = in[b + threadIdx.x] * 5;  //~ FAULT race-block
  }
}
