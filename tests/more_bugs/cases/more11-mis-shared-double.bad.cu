// Doubles behind an odd number of words in dynamic shared memory.
extern __shared__ __align__(16) unsigned char raw[];
template <class T> __device__ T *carve(unsigned &at, unsigned n) { T *p = (T *)(raw + at); at += n * sizeof(T); return p; }
extern "C" __global__ void k(double *out, const unsigned *in) {
  unsigned at = 0, t = threadIdx.x;
  unsigned *a = carve<unsigned>(at, 33);
  double *d = carve<double>(at, 32);
  a[t] = in[t];
  d[t] = in[t];  //~ FAULT
  out[t] = d[t] + a[t];
}
