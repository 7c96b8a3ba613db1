template <class T> struct View { T *p; unsigned w; __device__ T &at(unsigned x, unsigned y) { return p[y * w + x]; } };  //~ FAULT oob-global
extern "C" __global__ void k(unsigned *out, unsigned *in, unsigned w) {
  View<unsigned> a{in, w}, b{out, w};
  unsigned x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (y < w) b.at(x, y) = a.at(x, y) + 1;  //~ FAULT oob-global
}
