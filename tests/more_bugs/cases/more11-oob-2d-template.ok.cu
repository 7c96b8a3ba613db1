template <int W, int H> __device__ unsigned at(unsigned x, unsigned y) { return y * W + x; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (x >= 13 || y >= 5) return;
  unsigned i = at<13, 5>(x, y);
  out[i] = in[i];
}
