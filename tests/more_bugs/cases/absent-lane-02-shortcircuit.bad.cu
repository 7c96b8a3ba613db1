extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, v = in[lane], r = 0;
  if (v > 10 && __any_sync(~0u, v > 35))  //~ FAULT absent-lane
    r = 1;
  __syncwarp();
  out[lane] = r;
}
