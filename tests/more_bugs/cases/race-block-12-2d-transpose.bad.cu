template <int N> struct Tile { unsigned v[N][N + 1]; };
template <int N> __device__ void load(Tile<N> &t, const unsigned *in) { t.v[threadIdx.y][threadIdx.x] = in[threadIdx.y * N + threadIdx.x]; }  //~ FAULT race-block
template <int N> __device__ unsigned flipped(const Tile<N> &t) { return t.v[threadIdx.x][threadIdx.y]; }  //~ FAULT race-block
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ Tile<16> tile;
  load(tile, in);
  out[threadIdx.y * 16 + threadIdx.x] = flipped(tile);
}
