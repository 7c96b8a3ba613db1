__device__ double get(const void *p) { return *(const double *)p; }  //~ FAULT misaligned
extern "C" __global__ void k(double *out, const unsigned *in) {
  out[threadIdx.x] = get(in + 1 + threadIdx.x);
}
