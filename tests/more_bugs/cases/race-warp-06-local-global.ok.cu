extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x;
  out[lane] = in[lane];
  unsigned v = __shfl_sync(~0u, out[lane], (lane + 1) % 32);
  out[lane] = v;
}
