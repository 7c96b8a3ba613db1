extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned h = in[threadIdx.x] % 63;
  atomicAdd(&out[h], 1);
}
