// A __device__ variable is set by block 0 and read by the others.
__device__ unsigned scale;
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) scale = in[0];  //~ FAULT
    out[blockIdx.x] = scale;  //~ FAULT
  }
}
