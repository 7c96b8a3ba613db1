// Output tiles of 48 that start every 40 elements.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = blockIdx.x * 40 + threadIdx.x;
  out[i] = in[i] + blockIdx.x;  //~ FAULT
}
