__device__ unsigned scale;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) scale = in[0];
    out[blockIdx.x] = blockIdx.x ? 0 : scale;
  }
}
