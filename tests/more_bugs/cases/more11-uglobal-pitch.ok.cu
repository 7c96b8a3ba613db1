extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *w) {
  unsigned x = threadIdx.x, y = threadIdx.y, pitch = 20;
  w[y * pitch + x] = in[y * 16 + x];
  __syncthreads();
  out[y * 16 + x] = w[y * pitch + x];
}
