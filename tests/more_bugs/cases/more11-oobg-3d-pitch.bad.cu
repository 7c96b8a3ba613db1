// A 3-D index whose plane stride is too large by one row.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned x = blockIdx.x * 3 + threadIdx.x, y = threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
  unsigned i = (z * 6 + y) * 6 + x;
  out[i] = in[i];  //~ FAULT
}
