template <class T> struct Owned { T *p; __device__ Owned(int n) : p((T *)malloc(n * sizeof(T))) {} __device__ ~Owned() { free(p); } };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  {
    Owned<unsigned> a(4);
    if (!a.p) return;
    ((volatile unsigned *)a.p)[0] = in[t];
    Owned<unsigned> &b = a;
    out[t] = ((volatile unsigned *)b.p)[0];
  }
}
