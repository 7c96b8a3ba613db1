// Sub-histograms by warp, merged after a barrier.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned h[4][16];
  unsigned t = threadIdx.x, w = t / 32;
  for (unsigned i = t; i < 64; i += 128) (&h[0][0])[i] = 0;
  __syncthreads();
  for (unsigned i = t; i < 512; i += 128) atomicAdd(&h[w][in[i] & 15], 1);
  __syncthreads();
  if (t < 16) {
    unsigned s = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) s += h[i][t];
    out[t] = s;
  }
}
