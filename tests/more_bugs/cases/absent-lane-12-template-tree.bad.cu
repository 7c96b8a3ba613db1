template <class T, int D> struct Tree {
  static __device__ T sum(T v) {
    v += __shfl_xor_sync(0xffffffffu, v, D);  //~ FAULT absent-lane
    return Tree<T, D / 2>::sum(v);
  }
};
template <class T> struct Tree<T, 0> { static __device__ T sum(T v) { return v; } };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  if (x % 3 != 0) r = Tree<unsigned, 16>::sum(x);
  __syncwarp();
  out[t] = r;
}
