extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned part[4];
  unsigned t = threadIdx.x, l = t & 31, w = t >> 5, v = in[t];
  #pragma unroll
  for (int d = 1; d < 32; d <<= 1) { unsigned y = __shfl_up_sync(0xffffffffu, v, d); if (l >= d) v += y; }
  if (l == 31) part[w] = v;
  __syncthreads();
  if (w == 0 && l < 4) {
    unsigned s = part[l];
    for (int d = 1; d < 4; d <<= 1) { unsigned y = __shfl_up_sync(0xfu, s, d); if (l >= d) s += y; }
    part[l] = s;
  }
  __syncthreads();
  out[t] = v + (w ? part[w - 1] : 0);
}
