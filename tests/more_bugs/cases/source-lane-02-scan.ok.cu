extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned lane = threadIdx.x;
  unsigned m = __ballot_sync(~0u, lane < n);
  if (lane < n) {
    unsigned v = in[lane];
    for (int d = 1; d < 32; d *= 2) { unsigned w = __shfl_up_sync(m, v, d); if (lane >= d) v += w; }
    out[lane] = v;
  }
}
