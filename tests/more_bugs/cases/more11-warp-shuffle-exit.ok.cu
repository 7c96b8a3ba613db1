extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, lane = t % 32, lo = 0, hi = 32 + lane % 7;
  while (lo < hi) {
    unsigned mid = (lo + hi) / 2;
    if (in[(mid + t) % 96] < 20) lo = mid + 1; else hi = mid;
  }
  out[t] = lo;
}
