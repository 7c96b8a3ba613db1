// The workspace takes whole rows, also where the tile has none; only what is defined is read.
extern "C" __global__ void k(unsigned *out, uint4 *workspace, const unsigned *in) {
  __shared__ uint4 tile[16];
  unsigned t = threadIdx.x;
  if (t < 40) ((unsigned *)tile)[t] = in[t];
  __syncthreads();
  if (t < 16) workspace[t] = tile[t];
  __syncthreads();
  if (t < 40) out[t] = ((volatile unsigned *)workspace)[39 - t];
}
