// The counter of the last block is read before the sums are known to be there.
extern "C" __global__ void k(unsigned *out, unsigned *part, unsigned *count, const unsigned *in) {
  __shared__ bool last;
  unsigned t = threadIdx.x;
  part[blockIdx.x * 32 + t] = in[(blockIdx.x * 16 + t) % 64];  //~ FAULT race-global
  if (t == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    unsigned sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += ((volatile unsigned *)part)[i * 32 + t];  //~ FAULT race-global
    out[t] = sum;
  }
}
