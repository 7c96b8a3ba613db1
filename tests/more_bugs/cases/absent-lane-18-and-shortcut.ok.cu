extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  bool any = __any_sync(0xffffffffu, v > 30);
  if (v > 7 && any) r = 1;
  __syncwarp();
  out[t] = r;
}
