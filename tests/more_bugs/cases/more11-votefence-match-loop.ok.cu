extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned bin[7];
  unsigned t = threadIdx.x, x = in[t];
  if (t < 7) bin[t] = 0;
  __syncwarp();
  unsigned m = __match_any_sync(~0u, x);
  if (__ffs(m) - 1 == t) bin[x] += __popc(m);
  __shfl_sync(m, t, __ffs(m) - 1);
  __syncwarp();
  out[t] = bin[x];
}
