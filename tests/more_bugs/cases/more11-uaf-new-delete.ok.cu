struct A { unsigned x; __device__ A(unsigned v) : x(v) {} __device__ __noinline__ unsigned twice() const { return x * 2; } };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  A *a = new A(in[t]);
  unsigned r = a->twice();
  r += a->twice();
  delete a;
  out[t] = r;
}
