template <int H, int W> struct Grid { unsigned c[H][W]; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Grid<4, 16> g;
  unsigned x = threadIdx.x, y = threadIdx.y;
  g.c[y][x] = in[y * 16 + x];
  __syncthreads();
  out[y * 16 + x] = g.c[y + 1][x];  //~ FAULT oob-shared
}
