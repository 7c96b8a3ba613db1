extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned best[2];
  unsigned t = threadIdx.x, w = t / 32;
  if (t % 32 == 0) best[w] = 0;
  __syncwarp();
  if (in[t] > 50) best[w] = in[t];  //~ FAULT race-warp
  __syncwarp();
  if (t % 32 == 0) out[w] = best[w];
}
