extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r = 0;
  if (t > 3) {
    int p;
    r = __match_all_sync(0xffffffffu, v / 100, &p);  //~ FAULT absent-lane
    r += p;
  }
  __syncwarp();
  out[t] = r;
}
