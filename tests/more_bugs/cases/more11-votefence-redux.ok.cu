extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *tmp) {
  unsigned t = threadIdx.x;
  tmp[t] = in[t];
  unsigned r = __reduce_or_sync(~0u, t);
  __syncwarp();
  out[t] = tmp[t ^ 7] + r;
}
