// A fraction whose denominator is reduced to zero.
struct Frac { int n, d; };
__device__ int value(Frac f) { return f.n / f.d; }  //~ FAULT
extern "C" __global__ void k(int *out, const int *in) {
  unsigned i = threadIdx.y * 16 + threadIdx.x;
  Frac f = {in[i] * 10, in[i] / 16};
  out[i] = value(f);  //~ FAULT
}
