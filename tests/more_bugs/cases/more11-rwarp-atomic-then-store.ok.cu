extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned best;
  unsigned t = threadIdx.x;
  if (t == 0) best = 0;
  __syncwarp();
  atomicMax(&best, in[t]);
  __syncwarp();
  if (t == 0) out[0] = best;
}
