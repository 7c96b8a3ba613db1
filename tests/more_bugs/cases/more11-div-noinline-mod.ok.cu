__device__ __noinline__ unsigned slot(unsigned h, unsigned n) { return h % n; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = threadIdx.y * 32 + threadIdx.x;
  unsigned n = __popc(in[i]) + 1;
  out[i] = slot(i * 7, n);
}
