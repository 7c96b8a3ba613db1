template <int N> __device__ void stage(float (*tile)[N + 1], const float *in, int w, int x0, int y0) {
  tile[threadIdx.y][threadIdx.x] = in[(y0 + threadIdx.y) * w + x0 + threadIdx.x];
}
extern "C" __global__ void k(float *c, const float *a, const float *b) {
  __shared__ float ta[8][9], tb[8][9];
  int w = 16, x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float acc = 0;
  for (int k0 = 0; k0 < w; k0 += 8) {
    stage<8>(ta, a, w, k0, blockIdx.y * 8);
    stage<8>(tb, b, w, blockIdx.x * 8, k0);
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 8; ++i) acc += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  c[y * w + x] = acc;
}
