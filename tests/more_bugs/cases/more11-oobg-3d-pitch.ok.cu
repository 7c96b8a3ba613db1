extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned x = blockIdx.x * 3 + threadIdx.x, y = threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
  unsigned i = (z * 5 + y) * 6 + x;
  out[i] = in[i];
}
