// The last row of the tile has no row below: the read lands in the weights.
template <int N> __device__ int below(int (&tile)[N][N], int y, int x) { return tile[y + 1][x]; }  //~ FAULT oob-shared
extern "C" __global__ void k(int *out, const int *in) {
  __shared__ int tile[8][8];
  __shared__ int weight[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 8 + x];
  weight[y][x] = x + y;
  __syncthreads();
  out[y * 8 + x] = tile[y][x] * weight[y][x] + below<8>(tile, y, x);  //~ FAULT oob-shared
}
