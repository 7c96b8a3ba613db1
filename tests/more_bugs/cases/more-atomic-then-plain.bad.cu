extern "C" __global__ void k(unsigned *out, unsigned *c) {
  unsigned t = threadIdx.x;
  atomicAdd(c, 1u); //~ FAULT race-global
  __syncthreads();
  if (t == 0) out[blockIdx.x] = *c; //~ FAULT race-global
}
