// C = A * B in single precision, 16 by 16 tiles in shared memory.
//
// What to see: two `__syncthreads` a tile, one before it is used and one before it is overwritten; without the
// second, `warpvm check` reports race-block. Every product is one fma, rounded once, as on the chip: the result
// is the chip's, bit for bit.
//
//     warpvm run --launch examples/sgemm.json --save c=c.npy

extern "C" __global__ void sgemm(float *c, const float *a, const float *b, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
