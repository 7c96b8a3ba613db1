// A block-wide count in a loop whose trips differ among the warps.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = 0, trips = t < 32 ? 3 : 2;
  for (unsigned i = 0; i < trips; ++i) n += __syncthreads_count(in[(t + i) % 64] > 30);  //~ FAULT barrier-divergence
  __syncthreads();  //~ FAULT barrier-mix
  out[t] = n;
}
