extern "C" __global__ void k(unsigned *out, const unsigned *in, uint4 *w) {
  unsigned t = threadIdx.x;
  w[t].x = in[t]; w[t].y = 1; w[t].z = 2;
  w[t].w = 3;
  uint4 v = w[t];
  out[t] = v.x + v.y + v.w;
}
