// An in-place smoothing over a grid-stride loop.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 120; i += gridDim.x * blockDim.x) {
    out[i] = in[i];  //~ FAULT
    out[i] += out[(i + 40) % 120];  //~ FAULT
  }
}
