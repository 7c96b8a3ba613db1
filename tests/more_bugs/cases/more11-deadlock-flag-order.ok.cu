extern "C" __global__ void k(unsigned *out, unsigned *flag, const unsigned *in) {
  unsigned b = blockIdx.x, t = threadIdx.x;
  if (t == 0) {
    unsigned from = (b + 1) % gridDim.x;
    if (b != gridDim.x - 1)
    while (atomicAdd(&flag[from], 0) == 0) {}
    __threadfence();
    atomicExch(&flag[b], 1);
  }
  __syncthreads();
  if (b == 0) out[t] = in[t];
}
