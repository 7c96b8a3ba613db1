extern __shared__ unsigned pool[];
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned x = threadIdx.x, y = threadIdx.y;
  pool[(y + 1) * 10 + x + 1] = in[y * 8 + x];
  __syncthreads();
  out[y * 8 + x] = pool[(y + 1) * 10 + x] + pool[(y + 1) * 10 + x + 2];  //~ FAULT uninit-shared
}
