extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, n = 0, trips = 3;
  for (unsigned i = 0; i < trips; ++i) n += __syncthreads_count(in[(t + i) % 64] > 30);
  __syncthreads();
  out[t] = n;
}
