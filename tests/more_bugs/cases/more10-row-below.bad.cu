// Row pointers into a tile: the last row begins behind the tile.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned tile[16][4];
  __shared__ unsigned edge[16];
  unsigned t = threadIdx.x, x = t % 4, y = t / 4;
  tile[y][x] = in[t];
  if (t < 16) edge[t] = t;
  __syncthreads();
  unsigned *row = tile[y] + 4;  // the row below
  unsigned v = row[x];  //~ FAULT oob-shared
  __syncthreads();
  if (y < 15) tile[y][x] = v;
  __syncthreads();
  out[t] = tile[y][3 - x] + edge[y];
}
