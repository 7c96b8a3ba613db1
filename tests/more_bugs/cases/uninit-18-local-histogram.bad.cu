template <int N> struct Bins {
  unsigned n[N];
  __device__ void add(unsigned i) { n[i] += 1; }  //~ FAULT uninit-local
};
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  Bins<8> b;
  for (int i = 0; i < 2; ++i) b.add(in[2 * t + i]);
  out[t] = b.n[in[t]];  //~ FAULT uninit-local
}
