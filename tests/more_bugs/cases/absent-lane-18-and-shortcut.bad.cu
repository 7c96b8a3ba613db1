extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  if (v > 7 && __any_sync(0xffffffffu, v > 30)) r = 1;  //~ FAULT absent-lane
  __syncwarp();
  out[t] = r;
}
