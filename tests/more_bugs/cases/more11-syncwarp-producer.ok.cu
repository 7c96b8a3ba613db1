// Lane 0 of each warp fetches for all, again and again, through a volatile word.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned box[2];
  unsigned t = threadIdx.x, w = t / 32, r = 0;
  for (int i = 0; i < 4; ++i) {
    if (t % 32 == 0) box[w] = in[w * 32 + i];
    __syncwarp();
    r += box[w];
    __syncwarp();
  }
  out[t] = r;
}
