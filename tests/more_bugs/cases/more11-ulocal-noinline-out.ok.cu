__device__ __noinline__ bool find(unsigned x, unsigned *pos) { if (x > 20) { *pos = x - 20; return true; } return false; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, pos;
  bool hit = find(in[t], &pos);
  out[t] = hit ? pos : 0;
}
