extern "C" __global__ void k(unsigned *out, unsigned *part, unsigned *count, const unsigned *in) {
  __shared__ bool last;
  unsigned t = threadIdx.x;
  part[blockIdx.x * 32 + t] = in[(blockIdx.x * 16 + t) % 64];
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    unsigned sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += ((volatile unsigned *)part)[i * 32 + t];
    out[t] = sum;
  }
}
